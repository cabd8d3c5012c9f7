// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A proxy for tests
/// @notice Runs the code that its EIP-1967 slot names, which a test writes.
contract UpgradeableProxy {
    bytes32 private constant IMPLEMENTATION = bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1);

    fallback() external {
        bytes32 slot = IMPLEMENTATION;
        assembly {
            calldatacopy(0, 0, calldatasize())
            let isDone := delegatecall(gas(), sload(slot), 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if iszero(isDone) {
                revert(0, returndatasize())
            }
            return(0, returndatasize())
        }
    }
}
