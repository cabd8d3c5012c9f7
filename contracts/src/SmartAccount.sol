// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title Development stand-in for a smart account whose owner may change
/// @notice Signs, by ERC-1271, whatever its present owner's key signs.
contract SmartAccount is IERC1271 {
    address public owner;

    error NotOwner();
    error CallFailed();

    constructor(address firstOwner) {
        owner = firstOwner;
    }

    function setOwner(address next) external {
        if (msg.sender != owner) revert NotOwner();
        owner = next;
    }

    /// @notice Makes a call as the account.
    function execute(address to, bytes calldata data) external {
        if (msg.sender != owner) revert NotOwner();
        (bool isDone, ) = to.call(data);
        if (!isDone) revert CallFailed();
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        (address recovered, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(digest, signature);
        bool isOwners = failure == ECDSA.RecoverError.NoError && recovered == owner;
        return isOwners ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
