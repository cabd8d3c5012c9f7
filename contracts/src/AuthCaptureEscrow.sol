// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @dev What a payment is, in the words of commerce-payments v1.0.
struct PaymentInfo {
    address operator;
    address payer;
    address receiver;
    address token;
    uint120 maxAmount;
    uint48 preApprovalExpiry;
    uint48 authorizationExpiry;
    uint48 refundExpiry;
    uint16 minFeeBps;
    uint16 maxFeeBps;
    address feeReceiver;
    uint256 salt;
}

/// @dev Takes tokens from somebody and gives them to the escrow.
interface ITokenCollector {
    /// @return 0 for payments, 1 for refunds.
    function collectorType() external view returns (uint8);
    function collectTokens(PaymentInfo calldata info, address store, uint256 amount, bytes calldata data) external;
}

/// @title Development stand-in for AuthCaptureEscrow of commerce-payments v1.0
/// @notice Holds a payment until its operator captures or voids it, or its payer reclaims it. Own code, with the published interface.
/// Unlike the published contract it keeps the tokens of all operators itself, instead of in a store for each.
contract AuthCaptureEscrow is ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    struct PaymentState {
        bool hasCollectedPayment;
        uint120 capturableAmount;
        uint120 refundableAmount;
    }

    bytes32 public constant PAYMENT_INFO_TYPEHASH = keccak256(
        "PaymentInfo(address operator,address payer,address receiver,address token,uint120 maxAmount,uint48 preApprovalExpiry,uint48 authorizationExpiry,uint48 refundExpiry,uint16 minFeeBps,uint16 maxFeeBps,address feeReceiver,uint256 salt)"
    );
    uint16 private constant MAX_FEE_BPS = 10_000;

    mapping(bytes32 paymentInfoHash => PaymentState) public paymentState;

    event PaymentAuthorized(
        bytes32 indexed paymentInfoHash, PaymentInfo paymentInfo, uint256 amount, address tokenCollector
    );
    event PaymentCaptured(bytes32 indexed paymentInfoHash, uint256 amount, uint16 feeBps, address feeReceiver);
    event PaymentVoided(bytes32 indexed paymentInfoHash, uint256 amount);
    event PaymentReclaimed(bytes32 indexed paymentInfoHash, uint256 amount);
    event PaymentRefunded(bytes32 indexed paymentInfoHash, uint256 amount, address tokenCollector);

    error InvalidSender(address sender, address expected);
    error ZeroAmount();
    error AmountOverflow(uint256 amount, uint256 limit);
    error ExceedsMaxAmount(uint256 amount, uint256 maxAmount);
    error AfterPreApprovalExpiry(uint48 timestamp, uint48 expiry);
    error InvalidExpiries(uint48 preApproval, uint48 authorization, uint48 refund);
    error FeeBpsOverflow(uint16 feeBps);
    error InvalidFeeBpsRange(uint16 minFeeBps, uint16 maxFeeBps);
    error FeeBpsOutOfRange(uint16 feeBps, uint16 minFeeBps, uint16 maxFeeBps);
    error ZeroFeeReceiver();
    error InvalidFeeReceiver(address attempted, address expected);
    error InvalidCollectorForOperation();
    error TokenCollectionFailed();
    error PaymentAlreadyCollected(bytes32 paymentInfoHash);
    error AfterAuthorizationExpiry(uint48 timestamp, uint48 expiry);
    error InsufficientAuthorization(bytes32 paymentInfoHash, uint256 authorizedAmount, uint256 requestedAmount);
    error ZeroAuthorization(bytes32 paymentInfoHash);
    error BeforeAuthorizationExpiry(uint48 timestamp, uint48 expiry);
    error AfterRefundExpiry(uint48 timestamp, uint48 expiry);
    error RefundExceedsCapture(uint256 refund, uint256 captured);

    modifier onlySender(address sender) {
        if (msg.sender != sender) revert InvalidSender(msg.sender, sender);
        _;
    }

    modifier validAmount(uint256 amount) {
        if (amount == 0) revert ZeroAmount();
        if (amount > type(uint120).max) revert AmountOverflow(amount, type(uint120).max);
        _;
    }

    function authorize(PaymentInfo calldata info, uint256 amount, address collector, bytes calldata data)
        external
        nonReentrant
        onlySender(info.operator)
        validAmount(amount)
    {
        _checkTerms(info, amount);
        bytes32 hash = getHash(info);
        if (paymentState[hash].hasCollectedPayment) revert PaymentAlreadyCollected(hash);
        paymentState[hash] = PaymentState(true, uint120(amount), 0);
        emit PaymentAuthorized(hash, info, amount, collector);
        _collect(info, amount, collector, data, 0);
    }

    function capture(PaymentInfo calldata info, uint256 amount, uint16 feeBps, address feeReceiver)
        external
        nonReentrant
        onlySender(info.operator)
        validAmount(amount)
    {
        if (feeBps < info.minFeeBps || feeBps > info.maxFeeBps) {
            revert FeeBpsOutOfRange(feeBps, info.minFeeBps, info.maxFeeBps);
        }
        if (feeReceiver == address(0) && feeBps > 0) revert ZeroFeeReceiver();
        if (info.feeReceiver != address(0) && info.feeReceiver != feeReceiver) {
            revert InvalidFeeReceiver(feeReceiver, info.feeReceiver);
        }
        if (block.timestamp >= info.authorizationExpiry) {
            revert AfterAuthorizationExpiry(uint48(block.timestamp), info.authorizationExpiry);
        }
        bytes32 hash = getHash(info);
        PaymentState storage state = paymentState[hash];
        if (state.capturableAmount < amount) revert InsufficientAuthorization(hash, state.capturableAmount, amount);
        state.capturableAmount -= uint120(amount);
        state.refundableAmount += uint120(amount);
        emit PaymentCaptured(hash, amount, feeBps, feeReceiver);
        uint256 fee = amount * feeBps / MAX_FEE_BPS;
        if (fee > 0) IERC20(info.token).safeTransfer(feeReceiver, fee);
        if (amount > fee) IERC20(info.token).safeTransfer(info.receiver, amount - fee);
    }

    function void(PaymentInfo calldata info) external nonReentrant onlySender(info.operator) {
        (bytes32 hash, uint256 amount) = _takeBack(info);
        emit PaymentVoided(hash, amount);
    }

    function reclaim(PaymentInfo calldata info) external nonReentrant onlySender(info.payer) {
        if (block.timestamp < info.authorizationExpiry) {
            revert BeforeAuthorizationExpiry(uint48(block.timestamp), info.authorizationExpiry);
        }
        (bytes32 hash, uint256 amount) = _takeBack(info);
        emit PaymentReclaimed(hash, amount);
    }

    function refund(PaymentInfo calldata info, uint256 amount, address collector, bytes calldata data)
        external
        nonReentrant
        onlySender(info.operator)
        validAmount(amount)
    {
        if (block.timestamp >= info.refundExpiry) revert AfterRefundExpiry(uint48(block.timestamp), info.refundExpiry);
        bytes32 hash = getHash(info);
        uint120 captured = paymentState[hash].refundableAmount;
        if (captured < amount) revert RefundExceedsCapture(amount, captured);
        paymentState[hash].refundableAmount = captured - uint120(amount);
        emit PaymentRefunded(hash, amount, collector);
        _collect(info, amount, collector, data, 1);
        IERC20(info.token).safeTransfer(info.payer, amount);
    }

    function getHash(PaymentInfo calldata info) public view returns (bytes32) {
        return keccak256(abi.encode(block.chainid, address(this), keccak256(abi.encode(PAYMENT_INFO_TYPEHASH, info))));
    }

    function getTokenStore(address) external view returns (address) {
        return address(this);
    }

    function _takeBack(PaymentInfo calldata info) private returns (bytes32 hash, uint256 amount) {
        hash = getHash(info);
        amount = paymentState[hash].capturableAmount;
        if (amount == 0) revert ZeroAuthorization(hash);
        paymentState[hash].capturableAmount = 0;
        IERC20(info.token).safeTransfer(info.payer, amount);
    }

    function _collect(PaymentInfo calldata info, uint256 amount, address collector, bytes calldata data, uint8 kind)
        private
    {
        if (ITokenCollector(collector).collectorType() != kind) revert InvalidCollectorForOperation();
        uint256 before = IERC20(info.token).balanceOf(address(this));
        ITokenCollector(collector).collectTokens(info, address(this), amount, data);
        if (IERC20(info.token).balanceOf(address(this)) != before + amount) revert TokenCollectionFailed();
    }

    function _checkTerms(PaymentInfo calldata info, uint256 amount) private view {
        if (amount > info.maxAmount) revert ExceedsMaxAmount(amount, info.maxAmount);
        if (block.timestamp >= info.preApprovalExpiry) {
            revert AfterPreApprovalExpiry(uint48(block.timestamp), info.preApprovalExpiry);
        }
        if (info.preApprovalExpiry > info.authorizationExpiry || info.authorizationExpiry > info.refundExpiry) {
            revert InvalidExpiries(info.preApprovalExpiry, info.authorizationExpiry, info.refundExpiry);
        }
        if (info.maxFeeBps > MAX_FEE_BPS) revert FeeBpsOverflow(info.maxFeeBps);
        if (info.minFeeBps > info.maxFeeBps) revert InvalidFeeBpsRange(info.minFeeBps, info.maxFeeBps);
    }
}
