// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {AuthCaptureEscrow, ITokenCollector, PaymentInfo} from "./AuthCaptureEscrow.sol";
import {IReceive} from "./Erc3009Collector.sol";

/// @title Takes a refund of commerce-payments v1.0 from the receiver of the payment
/// @notice The receiver signs an EIP-3009 authorization for exactly this refund: its nonce names the payment, the amount and the
/// balances before it, which never come again. Money passes through within the call, and nobody owns this contract.
contract ReceiverRefundCollector is ITokenCollector {
    using SafeERC20 for IERC20;

    AuthCaptureEscrow public constant ESCROW = AuthCaptureEscrow(0xBdEA0D1bcC5966192B070Fdf62aB4EF5b4420cff);
    bytes32 public constant REFUND_TYPEHASH = keccak256(
        "ReceiverRefund(bytes32 paymentInfoHash,uint256 amount,uint256 capturableAmount,uint256 refundableAmount)"
    );

    error OnlyAuthCaptureEscrow();

    function collectorType() external pure returns (uint8) {
        return 1;
    }

    function collectTokens(PaymentInfo calldata info, address store, uint256 amount, bytes calldata signature)
        external
    {
        if (msg.sender != address(ESCROW)) revert OnlyAuthCaptureEscrow();
        bytes32 hash = ESCROW.getHash(info);
        // The escrow has taken the amount off what is refundable before it calls.
        (, uint120 capturable, uint120 left) = ESCROW.paymentState(hash);
        bytes32 nonce = keccak256(abi.encode(REFUND_TYPEHASH, hash, amount, capturable, uint256(left) + amount));
        IReceive(info.token).receiveWithAuthorization(
            info.receiver, address(this), amount, 0, info.refundExpiry, nonce, signature
        );
        IERC20(info.token).safeTransfer(store, amount);
    }
}
