// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title A smart-contract wallet for tests that signs in simulations and not on chain
/// @notice It takes its owner's signature up to a block, and later at a gas price of zero only, at which nobody sends.
contract FickleWallet is IERC1271 {
    address public immutable owner;
    uint256 public goodUntil;

    constructor(address walletOwner) {
        owner = walletOwner;
    }

    function setGoodUntil(uint256 blockNumber) external {
        goodUntil = blockNumber;
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        (address recovered, ECDSA.RecoverError failure, ) = ECDSA.tryRecoverCalldata(digest, signature);
        bool isOwners = failure == ECDSA.RecoverError.NoError && recovered == owner;
        bool isGood = tx.gasprice == 0 || block.number <= goodUntil;
        return isOwners && isGood ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
