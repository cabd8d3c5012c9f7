// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title Many payments in one transaction, each on its own
/// @notice Submits EIP-3009 authorizations in batches, and pulls tokens that have none, once a reference. An item that
/// fails is named by an event and stops no other. The contract holds no money, and nobody owns, changes or stops it.
/// @dev A transaction must carry the gas it needs: an estimate finds the least at which it does not revert, and that
/// is the gas at which no item is tried.
contract BatchSettler is ReentrancyGuardTransient {
    /// @dev An EIP-3009 `TransferWithAuthorization` and its signature: r, s, v, or what a payer with code wants.
    struct Authorization {
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
        bytes signature;
    }

    /// @dev A `transferFrom` that happens at most once for its `ref`, whatever else it says.
    struct Pull {
        address from;
        address to;
        uint256 value;
        bytes32 ref;
    }

    bytes4 private constant TRANSFER_BY_PARTS = bytes4(
        keccak256(
            "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)"
        )
    );
    bytes4 private constant TRANSFER_BY_BYTES = bytes4(
        keccak256("transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)")
    );
    /// @dev What is kept of a token's answer: enough for its reason, and too little to make copying it expensive.
    uint256 private constant ANSWER_BYTES = 256;
    /// @dev For all that an item costs outside the token's call: its encoding, two storage writes, its event.
    uint256 private constant GAS_BESIDE_CALL = 50_000;

    /// @notice The only account that may pull. It reaches what payers have allowed this contract, and nothing else:
    /// allow it no more than what is to be paid.
    address public immutable operator;

    /// @notice Whether the reference has moved money. A pull that failed leaves its reference unused.
    mapping(bytes32 ref => bool used) public pulled;

    /// @notice The authorization did not move money. `reason` is the first bytes of what the token answered; empty if
    /// it ran out of the item's gas.
    event SettleFailed(uint256 indexed index, address indexed authorizer, bytes32 indexed nonce, bytes reason);
    event Pulled(bytes32 indexed ref, address indexed from, address indexed to, address token, uint256 value);
    /// @notice The pull did not move money. `reason` is as in `SettleFailed`, or one of the errors below.
    event PullFailed(uint256 indexed index, address indexed from, bytes32 indexed ref, bytes reason);
    /// @notice The gas did not reach for the item at `index` and those after it. They were not tried.
    event Stopped(uint256 index);

    error NotOperator();
    error NotAToken();
    /// @dev Reasons of a `PullFailed`; never reverted with.
    error RefUsed();
    error ReturnedFalse();

    modifier onlyTokens(address token) {
        // A call to an address without code succeeds and does nothing.
        if (token.code.length == 0) revert NotAToken();
        _;
    }

    constructor(address pullOperator) {
        operator = pullOperator;
    }

    /// @notice Submits the authorizations in their order. Anyone may: each is worth only what its payer signed.
    /// The token's `AuthorizationUsed` names those that moved money.
    /// @param gasPerItem What each call of the token may use at most, so that one item cannot burn the others' gas.
    /// @return settled How many the token took.
    function settle(
        address token,
        uint256 gasPerItem,
        Authorization[] calldata items
    ) external nonReentrant onlyTokens(token) returns (uint256 settled) {
        for (uint256 i; i < items.length; ++i) {
            if (_isShortOfGas(gasPerItem)) {
                emit Stopped(i);
                break;
            }
            Authorization calldata item = items[i];
            (bool isDone, bytes memory answer) = _call(token, gasPerItem, _transferCall(item));
            if (isDone) ++settled;
            else emit SettleFailed(i, item.from, item.nonce, answer);
        }
    }

    /// @notice Spends allowances given to this contract, in the items' order, each reference once.
    /// @param gasPerItem As in `settle`.
    /// @return count How many moved money.
    function pull(
        address token,
        uint256 gasPerItem,
        Pull[] calldata items
    ) external nonReentrant onlyTokens(token) returns (uint256 count) {
        if (msg.sender != operator) revert NotOperator();
        for (uint256 i; i < items.length; ++i) {
            if (_isShortOfGas(gasPerItem)) {
                emit Stopped(i);
                break;
            }
            Pull calldata item = items[i];
            (bool isDone, bytes memory answer) = _pullOnce(token, gasPerItem, item);
            if (isDone) {
                ++count;
                emit Pulled(item.ref, item.from, item.to, token, item.value);
            } else {
                emit PullFailed(i, item.from, item.ref, answer);
            }
        }
    }

    function _pullOnce(
        address token,
        uint256 gasPerItem,
        Pull calldata item
    ) private returns (bool isDone, bytes memory answer) {
        if (pulled[item.ref]) return (false, abi.encodePacked(RefUsed.selector));
        pulled[item.ref] = true;
        bytes memory data = abi.encodeCall(IERC20.transferFrom, (item.from, item.to, item.value));
        (isDone, answer) = _call(token, gasPerItem, data);
        // Some tokens answer nothing where ERC-20 wants true.
        if (isDone && answer.length > 0 && !_isTrue(answer)) {
            (isDone, answer) = (false, abi.encodePacked(ReturnedFalse.selector));
        }
        if (!isDone) pulled[item.ref] = false;
    }

    function _isTrue(bytes memory answer) private pure returns (bool) {
        return answer.length >= 32 && abi.decode(answer, (uint256)) == 1;
    }

    /// @dev A signature of 65 bytes goes to the overload that every EIP-3009 token has; others need the later one.
    function _transferCall(Authorization calldata item) private pure returns (bytes memory) {
        bytes calldata signature = item.signature;
        if (signature.length != 65) {
            return abi.encodeWithSelector(
                TRANSFER_BY_BYTES,
                item.from,
                item.to,
                item.value,
                item.validAfter,
                item.validBefore,
                item.nonce,
                signature
            );
        }
        return abi.encodeWithSelector(
            TRANSFER_BY_PARTS,
            item.from,
            item.to,
            item.value,
            item.validAfter,
            item.validBefore,
            item.nonce,
            uint8(signature[64]),
            bytes32(signature[:32]),
            bytes32(signature[32:64])
        );
    }

    /// @dev A call is given at most 63/64 of the gas left (EIP-150), silently. An item that got less than its share
    /// would look as if its token had refused it.
    function _isShortOfGas(uint256 gasPerItem) private view returns (bool) {
        return gasleft() < gasPerItem + gasPerItem / 63 + GAS_BESIDE_CALL;
    }

    /// @dev As a low-level call, but copies only the first bytes of the answer: a long one is paid for by whom it is from.
    function _call(address token, uint256 gasLimit, bytes memory data) private returns (bool isDone, bytes memory answer) {
        uint256 most = ANSWER_BYTES;
        assembly ("memory-safe") {
            isDone := call(gasLimit, token, 0, add(data, 32), mload(data), 0, 0)
            let size := returndatasize()
            if gt(size, most) {
                size := most
            }
            answer := mload(0x40)
            mstore(0x40, add(answer, add(32, and(add(size, 31), not(31)))))
            mstore(answer, size)
            returndatacopy(add(answer, 32), 0, size)
        }
    }
}
