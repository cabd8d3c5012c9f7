// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev One sale that CredentialMarket can make. Its seller signs it as EIP-712 data of the market.
struct Listing {
    address registry;
    uint256 tokenId;
    address seller;
    /// @dev The only account that may buy; zero for anyone.
    address buyer;
    /// @dev The service that keeps what is sold with the token. Without its signature there is no sale.
    address operator;
    /// @dev In base units of USDC, fee included.
    uint256 price;
    uint16 feeBps;
    address feeReceiver;
    /// @dev Unix time in seconds: the last at which the listing can be bought.
    uint64 expiry;
    uint256 nonce;
    /// @dev The token's ERC-6551 account, which must be as it was when the seller signed; zero for none.
    address holder;
    uint256 holderState;
    /// @dev What the account pays the buyer in the sale.
    uint256 minHolderUsdc;
}

bytes32 constant LISTING_HASH = keccak256(
    "Listing(address registry,uint256 tokenId,address seller,address buyer,address operator,uint256 price,uint16 feeBps,address feeReceiver,uint64 expiry,uint256 nonce,address holder,uint256 holderState,uint256 minHolderUsdc)"
);

/// @dev The part of a holder account that a sale needs.
interface IHolder {
    function state() external view returns (uint256);
    function payBuyer(Listing calldata listing, bytes calldata signature, address usdc, address buyer) external;
}
