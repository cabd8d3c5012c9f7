// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SmartAccount} from "./SmartAccount.sol";

/// @title Development stand-in for a factory of smart accounts
/// @notice Deploys an account at an address that its first owner and a salt decide. A second call finds the first's.
contract SmartAccountFactory {
    function createAccount(address owner, bytes32 salt) external returns (address account) {
        account = addressOf(owner, salt);
        if (account.code.length == 0) new SmartAccount{salt: salt}(owner);
    }

    /// @notice Where the account stands, or will.
    function addressOf(address owner, bytes32 salt) public view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(SmartAccount).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(bytes1(0xff), address(this), salt, code)))));
    }
}
