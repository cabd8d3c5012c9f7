// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {IHolder, Listing, LISTING_HASH} from "./CredentialListing.sol";

/// @dev The calls of USDC that a sale needs. USDC reverts where it does not move money.
interface IUsdc {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
}

/// @title Sale of an identity token for USDC: both move in one transaction, or neither
/// @notice The seller signs a listing and approves this contract in the registry. The buyer signs a USDC
/// `ReceiveWithAuthorization` to this contract, with the listing's hash as nonce. The operator that the listing names
/// signs that this buyer may have it, until the payment ends. Anyone may relay the three. Nobody owns, changes or stops
/// the contract, and between transactions it holds no money.
/// @dev The contract believes the registry and the holder account that the seller names: check them before you sign.
contract CredentialMarket is EIP712, ReentrancyGuardTransient {
    enum State {
        OPEN,
        SOLD,
        CANCELLED
    }

    bytes32 public constant LISTING_TYPEHASH = LISTING_HASH;
    bytes32 public constant APPROVAL_TYPEHASH =
        keccak256("Approval(bytes32 listingHash,address buyer,uint256 validBefore)");
    /// @notice A tenth of the price: the highest fee that a listing may name.
    uint16 public constant MAX_FEE_BPS = 1_000;

    /// @notice The only token that sales are paid in.
    IUsdc public immutable usdc;

    /// @notice By the hash that the seller signs. A listing that nobody has bought or cancelled is OPEN.
    mapping(bytes32 listingHash => State) public stateOf;

    /// @notice The token went to `buyer`. The seller got `price` less `fee`, in base units of USDC.
    event Sold(
        bytes32 indexed listingHash,
        address indexed registry,
        uint256 indexed tokenId,
        address seller,
        address buyer,
        uint256 price,
        uint256 fee
    );
    /// @notice The seller has made the listing worthless.
    event Cancelled(bytes32 indexed listingHash);

    error AlreadySold();
    error ListingCancelled();
    error ListingExpired();
    /// @dev The listing is for another buyer, or the buyer is its seller or its holder account.
    error BuyerNotAllowed();
    error FeeTooHigh();
    error NoFeeReceiver();
    /// @dev The token is not the seller's any more.
    error Stale();
    error WrongSellerSignature();
    /// @dev The holder account acted, or was deployed or destroyed, since the seller signed.
    error HolderChanged();
    /// @dev The holder account has less USDC than the seller signed for, or did not pay it to the buyer.
    error HolderEmptied();
    /// @dev USDC answered that it did not pay the seller or the receiver of the fee.
    error PaymentRefused();
    /// @dev The registry did not give the token to the buyer.
    error NotDelivered();
    error NotSeller();

    constructor(address usdcAddress) EIP712("CredentialMarket", "1") {
        usdc = IUsdc(usdcAddress);
    }

    /// @notice The EIP-712 digest that the seller signs, and the nonce of the buyer's authorization.
    function hashListing(Listing calldata listing) public view returns (bytes32) {
        // A struct of static members encodes as its members in a row, which is what EIP-712 hashes.
        return _hashTypedDataV4(keccak256(abi.encode(LISTING_TYPEHASH, listing)));
    }

    /// @notice Makes the listing worthless, also one that was never shown to anyone. The seller calls it.
    function cancel(Listing calldata listing) external {
        if (msg.sender != listing.seller) revert NotSeller();
        bytes32 hash = hashListing(listing);
        _checkOpen(hash);
        stateOf[hash] = State.CANCELLED;
        emit Cancelled(hash);
    }

    /// @notice The EIP-712 digest that the operator signs.
    function hashApproval(bytes32 listingHash, address buyer, uint256 validBefore) public view returns (bytes32) {
        return _hashTypedDataV4(keccak256(abi.encode(APPROVAL_TYPEHASH, listingHash, buyer, validBefore)));
    }

    /// @notice Sells the token. The authorization is worth the price of this listing and nothing else, so it does not
    /// matter who relays it, or how often.
    /// @param sellerSignature Of the listing's hash.
    /// @param buyer The payer of the authorization, who gets the token.
    /// @param validAfter Unix seconds: the payment is good after it.
    /// @param validBefore Unix seconds: the payment, and the approval, are good before it.
    /// @param authorization The buyer's signature of the payment, whose nonce is the listing's hash.
    /// @param approval The operator's signature of `hashApproval`.
    function fulfil(
        Listing calldata listing,
        bytes calldata sellerSignature,
        address buyer,
        uint256 validAfter,
        uint256 validBefore,
        bytes calldata authorization,
        bytes calldata approval
    ) external nonReentrant {
        bytes32 hash = hashListing(listing);
        _checkOpen(hash);
        _checkTerms(listing, buyer);
        if (!SignatureChecker.isValidSignatureNowCalldata(listing.seller, hash, sellerSignature)) {
            revert WrongSellerSignature();
        }
        _checkHolder(listing);
        stateOf[hash] = State.SOLD;
        usdc.receiveWithAuthorization(
            buyer, address(this), listing.price, validAfter, validBefore, hash, authorization
        );
        uint256 fee = listing.price * listing.feeBps / 10_000;
        _pay(listing.feeReceiver, fee);
        _pay(listing.seller, listing.price - fee);
        _payFromHolder(listing, sellerSignature, buyer);
        _deliver(listing, buyer);
        // Last, so that the operator can try a sale that it has not approved yet. It has its reason in words for that.
        require(
            SignatureChecker.isValidSignatureNowCalldata(
                listing.operator, hashApproval(hash, buyer, validBefore), approval
            ),
            "CredentialMarket: not approved"
        );
        emit Sold(hash, listing.registry, listing.tokenId, listing.seller, buyer, listing.price, fee);
    }

    function _checkOpen(bytes32 hash) private view {
        State state = stateOf[hash];
        if (state == State.SOLD) revert AlreadySold();
        if (state == State.CANCELLED) revert ListingCancelled();
    }

    function _checkTerms(Listing calldata listing, address buyer) private view {
        if (block.timestamp > listing.expiry) revert ListingExpired();
        if (listing.feeBps > MAX_FEE_BPS) revert FeeTooHigh();
        if (listing.feeBps > 0 && listing.feeReceiver == address(0)) revert NoFeeReceiver();
        if (listing.buyer != address(0) && listing.buyer != buyer) revert BuyerNotAllowed();
        // A token inside its own account would be lost, because the account obeys the token's owner.
        if (buyer == listing.holder || buyer == listing.seller) revert BuyerNotAllowed();
        if (IERC721(listing.registry).ownerOf(listing.tokenId) != listing.seller) revert Stale();
    }

    /// @dev The seller could empty the account that the buyer pays for. What the account signed without acting itself
    /// leaves its state as it is, so its balance is checked too.
    function _checkHolder(Listing calldata listing) private view {
        address holder = listing.holder;
        if (holder == address(0)) return;
        uint256 state = holder.code.length == 0 ? 0 : IHolder(holder).state();
        if (state != listing.holderState) revert HolderChanged();
        if (usdc.balanceOf(holder) < listing.minHolderUsdc) revert HolderEmptied();
    }

    function _pay(address to, uint256 value) private {
        if (value > 0 && !usdc.transfer(to, value)) revert PaymentRefused();
    }

    /// @dev An allowance outlives the sale, and nobody can list the accounts that have one. So the money that was signed for
    /// does not stay where it could be taken. An account without code has never allowed anything.
    function _payFromHolder(
        Listing calldata listing,
        bytes calldata sellerSignature,
        address buyer
    ) private {
        if (listing.minHolderUsdc == 0 || listing.holder.code.length == 0) return;
        uint256 before = usdc.balanceOf(buyer);
        IHolder(listing.holder).payBuyer(listing, sellerSignature, address(usdc), buyer);
        if (usdc.balanceOf(buyer) < before + listing.minHolderUsdc) revert HolderEmptied();
    }

    /// @dev Not `safeTransferFrom`: its call of the buyer would let the buyer act in the middle of the sale.
    function _deliver(Listing calldata listing, address buyer) private {
        IERC721 registry = IERC721(listing.registry);
        registry.transferFrom(listing.seller, buyer, listing.tokenId);
        if (registry.ownerOf(listing.tokenId) != buyer) revert NotDelivered();
    }
}
