// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";

/// @title Development stand-in for Sablier Lockup 4.0
/// @notice Linear streams alone, that nobody cancels or hands on. The call, the event and the reads are Sablier's.
contract MiniLockup {
    using SafeERC20 for IERC20;

    struct Timestamps {
        uint40 start;
        uint40 end;
    }
    struct CreateWithDurations {
        address sender;
        address recipient;
        uint128 depositAmount;
        IERC20 token;
        bool cancelable;
        bool transferable;
        string shape;
    }
    struct CreateEventCommon {
        address funder;
        address sender;
        address recipient;
        uint128 depositAmount;
        IERC20 token;
        bool cancelable;
        bool transferable;
        Timestamps timestamps;
        string shape;
    }
    struct UnlockAmounts {
        uint128 start;
        uint128 cliff;
    }
    struct Durations {
        uint40 cliff;
        uint40 total;
    }
    struct Stream {
        address recipient;
        uint40 start;
        uint40 end;
        IERC20 token;
        uint40 cliff;
        uint128 deposited;
        uint128 withdrawn;
    }

    event CreateLockupLinearStream(
        uint256 indexed streamId,
        CreateEventCommon commonParams,
        uint40 cliffTime,
        uint40 granularity,
        UnlockAmounts unlockAmounts
    );
    event WithdrawFromLockupStream(
        uint256 indexed streamId,
        address indexed to,
        IERC20 indexed token,
        uint128 amount
    );

    error Unsupported();
    error TakesFee();
    error NoSuchStream(uint256 streamId);
    error NotRecipient(uint256 streamId, address caller);
    error Overdraw(uint256 streamId, uint128 amount, uint128 withdrawable);

    uint256 private _count;
    mapping(uint256 streamId => Stream) private _streams;

    /// @notice Locks the caller's tokens for `params.recipient`. Nothing may unlock before time passes.
    function createWithDurationsLL(
        CreateWithDurations calldata params,
        UnlockAmounts calldata unlockAmounts,
        uint40 granularity,
        Durations calldata durations
    ) external payable returns (uint256 streamId) {
        if (
            msg.value != 0 ||
            params.cancelable ||
            params.transferable ||
            unlockAmounts.start != 0 ||
            unlockAmounts.cliff != 0 ||
            durations.total <= durations.cliff ||
            params.depositAmount == 0 ||
            params.sender == address(0) ||
            params.recipient == address(0)
        ) revert Unsupported();
        streamId = ++_count;
        uint40 start = uint40(block.timestamp);
        uint40 end = start + durations.total;
        uint40 cliff = durations.cliff == 0 ? 0 : start + durations.cliff;
        _streams[streamId] = Stream(params.recipient, start, end, params.token, cliff, params.depositAmount, 0);
        _pull(params.token, params.depositAmount);
        emit CreateLockupLinearStream(
            streamId,
            CreateEventCommon(
                msg.sender,
                params.sender,
                params.recipient,
                params.depositAmount,
                params.token,
                false,
                false,
                Timestamps(start, end),
                params.shape
            ),
            cliff,
            granularity == 0 ? 1 : granularity,
            unlockAmounts
        );
    }

    /// @notice Sends what has become free, to anybody if the recipient asks, otherwise to the recipient alone.
    function withdraw(uint256 streamId, address to, uint128 amount) external payable {
        Stream storage stream = _stream(streamId);
        if (msg.sender != stream.recipient && to != stream.recipient) revert NotRecipient(streamId, msg.sender);
        uint128 free = withdrawableAmountOf(streamId);
        if (amount == 0 || amount > free) revert Overdraw(streamId, amount, free);
        stream.withdrawn += amount;
        stream.token.safeTransfer(to, amount);
        emit WithdrawFromLockupStream(streamId, to, stream.token, amount);
    }

    function nextStreamId() external view returns (uint256) {
        return _count + 1;
    }

    function streamedAmountOf(uint256 streamId) public view returns (uint128) {
        Stream storage stream = _stream(streamId);
        if (block.timestamp < stream.cliff) return 0;
        if (block.timestamp >= stream.end) return stream.deposited;
        uint256 passed = block.timestamp - stream.start;
        return uint128((uint256(stream.deposited) * passed) / (stream.end - stream.start));
    }

    function withdrawableAmountOf(uint256 streamId) public view returns (uint128) {
        return streamedAmountOf(streamId) - _stream(streamId).withdrawn;
    }

    function getRecipient(uint256 streamId) external view returns (address) {
        return _stream(streamId).recipient;
    }

    function getDepositedAmount(uint256 streamId) external view returns (uint128) {
        return _stream(streamId).deposited;
    }

    function getWithdrawnAmount(uint256 streamId) external view returns (uint128) {
        return _stream(streamId).withdrawn;
    }

    function getUnderlyingToken(uint256 streamId) external view returns (IERC20) {
        return _stream(streamId).token;
    }

    function getStartTime(uint256 streamId) external view returns (uint40) {
        return _stream(streamId).start;
    }

    function getEndTime(uint256 streamId) external view returns (uint40) {
        return _stream(streamId).end;
    }

    function isCancelable(uint256 streamId) external view returns (bool) {
        _stream(streamId);
        return false;
    }

    function isTransferable(uint256 streamId) external view returns (bool) {
        _stream(streamId);
        return false;
    }

    /// @dev A token that takes a fee, or calls back to create in between, would leave streams without their tokens.
    function _pull(IERC20 token, uint128 amount) private {
        uint256 before = token.balanceOf(address(this));
        token.safeTransferFrom(msg.sender, address(this), amount);
        if (token.balanceOf(address(this)) - before != amount) revert TakesFee();
    }

    function _stream(uint256 streamId) private view returns (Stream storage stream) {
        stream = _streams[streamId];
        if (stream.recipient == address(0)) revert NoSuchStream(streamId);
    }
}
