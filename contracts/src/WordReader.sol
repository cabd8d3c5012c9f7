// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Many reads in one call, each with its own gas
/// @notice Never deployed: an `eth_call` without a receiver runs the constructor, which returns two words for each read:
/// whether the contract answered exactly one word, and that word. Multicall3 gives each call all the gas there is, so one
/// hostile contract can leave none for the others.
contract WordReader {
    struct Read {
        address target;
        bytes data;
    }

    constructor(uint256 gasPerRead, Read[] memory reads) {
        bytes memory answers = new bytes(reads.length * 64);
        for (uint256 i; i < reads.length; ++i) {
            (address target, bytes memory data) = (reads[i].target, reads[i].data);
            assembly ("memory-safe") {
                let place := add(answers, add(32, mul(i, 64)))
                let isDone := staticcall(gasPerRead, target, add(data, 32), mload(data), 0, 0)
                // The rest of a long answer is not copied: that would cost our gas.
                if and(isDone, eq(returndatasize(), 32)) {
                    mstore(place, 1)
                    returndatacopy(add(place, 32), 0, 32)
                }
            }
        }
        assembly ("memory-safe") {
            return(add(answers, 32), mload(answers))
        }
    }
}
