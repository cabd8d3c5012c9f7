// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {IERC165} from "@openzeppelin/contracts/utils/introspection/IERC165.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {ERC7739} from "@openzeppelin/contracts/utils/cryptography/signers/draft-ERC7739.sol";
import {IHolder, Listing, LISTING_HASH} from "./CredentialListing.sol";

/// @dev ERC-6551.
interface IERC6551Account {
    receive() external payable;
    function token() external view returns (uint256 chainId, address tokenContract, uint256 tokenId);
    function state() external view returns (uint256);
    function isValidSigner(address signer, bytes calldata context) external view returns (bytes4);
}

interface IERC6551Executable {
    function execute(address to, uint256 value, bytes calldata data, uint8 operation)
        external
        payable
        returns (bytes memory);
}

/// @title The account of an identity token (ERC-6551)
/// @notice Obeys whoever owns the token now. While a contract that signs nothing holds the token, nothing leaves.
/// @dev Signatures are ERC-7739's: an owner has other accounts, and what is signed for one must not be good for another.
/// Permit2's messages, for one, do not name the account that pays.
contract CardAccount is IERC6551Account, IERC6551Executable, IHolder, IERC721Receiver, IERC165, ERC7739 {
    /// @dev A longer chain of accounts that own each other's tokens is refused.
    uint256 private constant MOST_ACCOUNTS = 8;
    /// @dev Enough for an account's `token()` behind its proxy.
    uint256 private constant TOKEN_GAS = 30_000;
    /// @dev The footer of an ERC-6551 account: what follows the proxy's code and the salt.
    uint256 private constant FOOTER_STARTS = 0x4d;

    bytes32 private constant DOMAIN_HASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant MARKET_NAME = keccak256("CredentialMarket");
    bytes32 private constant MARKET_VERSION = keccak256("1");

    /// @notice Counts what the account did. A signature that it vouched for is not counted.
    uint256 public override(IERC6551Account, IHolder) state;

    error NotOwner();
    /// @dev The listing is of another account.
    error NotListed();
    /// @dev Only a plain call: the others could change or end the account.
    error CallsOnly();
    /// @dev The account would own the token that owns it, so that nobody could control either any more.
    error OwnershipCycle();

    constructor() EIP712("CardAccount", "1") {}

    receive() external payable {}

    /// @notice Makes a call as this account, for the token's owner.
    function execute(
        address to,
        uint256 value,
        bytes calldata data,
        uint8 operation
    ) external payable returns (bytes memory answer) {
        if (msg.sender != owner()) revert NotOwner();
        if (operation != 0) revert CallsOnly();
        ++state;
        bool isDone;
        (isDone, answer) = to.call{value: value}(data);
        if (!isDone) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
    }

    /// @notice Pays the buyer of the token what its owner promised in a listing of the calling market.
    /// @dev The owner's signature is the permission. It names the market, this account and the amount.
    function payBuyer(
        Listing calldata listing,
        bytes calldata signature,
        address usdc,
        address buyer
    ) external {
        if (listing.holder != address(this)) revert NotListed();
        bytes32 domain =
            keccak256(abi.encode(DOMAIN_HASH, MARKET_NAME, MARKET_VERSION, block.chainid, msg.sender));
        bytes32 hash =
            MessageHashUtils.toTypedDataHash(domain, keccak256(abi.encode(LISTING_HASH, listing)));
        if (!_rawSignatureValidation(hash, signature)) revert NotOwner();
        ++state;
        SafeERC20.safeTransfer(IERC20(usdc), buyer, listing.minHolderUsdc);
    }

    /// @notice The token's owner; zero on another chain than the token's, and once the token is burned.
    function owner() public view returns (address) {
        (uint256 chainId, address tokenContract, uint256 tokenId) = token();
        return _ownerOf(chainId, tokenContract, tokenId);
    }

    function token() public view returns (uint256 chainId, address tokenContract, uint256 tokenId) {
        bytes memory footer = new bytes(0x60);
        assembly ("memory-safe") {
            extcodecopy(address(), add(footer, 0x20), FOOTER_STARTS, 0x60)
        }
        return abi.decode(footer, (uint256, address, uint256));
    }

    function isValidSigner(address signer, bytes calldata) external view returns (bytes4) {
        return signer != address(0) && signer == owner() ? IERC6551Account.isValidSigner.selector : bytes4(0);
    }

    /// @notice Takes any token but one that, over other accounts, owns this one.
    function onERC721Received(
        address,
        address,
        uint256 tokenId,
        bytes calldata
    ) external view returns (bytes4) {
        _checkCycle(msg.sender, tokenId);
        return IERC721Receiver.onERC721Received.selector;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == type(IERC165).interfaceId || id == 0x6faff5f1 || id == type(IERC6551Executable).interfaceId
            || id == type(IERC1271).interfaceId || id == type(IERC721Receiver).interfaceId;
    }

    function _rawSignatureValidation(
        bytes32 hash,
        bytes calldata signature
    ) internal view override returns (bool) {
        address signer = owner();
        return signer != address(0) && SignatureChecker.isValidSignatureNowCalldata(signer, hash, signature);
    }

    /// @dev Goes from this account to its token's owner, to that one's token's owner, and so on.
    function _checkCycle(address received, uint256 receivedId) private view {
        (uint256 chainId, address tokenContract, uint256 tokenId) = token();
        for (uint256 i; i < MOST_ACCOUNTS; ++i) {
            if (tokenContract == received && tokenId == receivedId && chainId == block.chainid) {
                revert OwnershipCycle();
            }
            address above = _ownerOf(chainId, tokenContract, tokenId);
            (bool isAccount, bytes memory answer) =
                above.staticcall{gas: TOKEN_GAS}(abi.encodeCall(IERC6551Account.token, ()));
            if (above.code.length == 0 || !isAccount || answer.length != 0x60) return;
            (chainId, tokenContract, tokenId) = abi.decode(answer, (uint256, address, uint256));
        }
        revert OwnershipCycle();
    }

    function _ownerOf(uint256 chainId, address tokenContract, uint256 tokenId) private view returns (address) {
        if (chainId != block.chainid || tokenContract.code.length == 0) return address(0);
        try IERC721(tokenContract).ownerOf(tokenId) returns (address found) {
            return found;
        } catch {
            return address(0);
        }
    }
}
