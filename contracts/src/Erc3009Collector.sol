// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {AuthCaptureEscrow, ITokenCollector, PaymentInfo} from "./AuthCaptureEscrow.sol";

/// @dev What is used of a token with EIP-3009.
interface IReceive {
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

/// @title Development stand-in for ERC3009PaymentCollector of commerce-payments v1.0
/// @notice Takes what the payer signed for exactly this payment: the nonce is the payment's hash without its payer.
contract Erc3009Collector is ITokenCollector {
    using SafeERC20 for IERC20;

    AuthCaptureEscrow public constant ESCROW = AuthCaptureEscrow(0xBdEA0D1bcC5966192B070Fdf62aB4EF5b4420cff);

    error OnlyAuthCaptureEscrow();

    function collectorType() external pure returns (uint8) {
        return 0;
    }

    function collectTokens(PaymentInfo calldata info, address store, uint256 amount, bytes calldata signature)
        external
    {
        if (msg.sender != address(ESCROW)) revert OnlyAuthCaptureEscrow();
        PaymentInfo memory agnostic = info;
        agnostic.payer = address(0);
        IReceive(info.token).receiveWithAuthorization(
            info.payer, address(this), info.maxAmount, 0, info.preApprovalExpiry, ESCROW.getHash(agnostic), signature
        );
        if (info.maxAmount > amount) IERC20(info.token).safeTransfer(info.payer, info.maxAmount - amount);
        IERC20(info.token).safeTransfer(store, amount);
    }
}
