// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title Development stand-in for a smart-contract wallet
/// @notice Signs, by ERC-1271, whatever its owner's key signs. It can hold tokens but not send them itself, so its
/// money moves by authorizations and permits only.
contract Erc1271Wallet is IERC1271 {
    address public immutable owner;

    constructor(address walletOwner) {
        owner = walletOwner;
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        (address recovered, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(digest, signature);
        bool isOwners = failure == ECDSA.RecoverError.NoError && recovered == owner;
        return isOwners ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
