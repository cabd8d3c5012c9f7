// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @title Test double: a registry of tokens that can turn against a sale
/// @notice Anyone may mint and choose its manner. Made for tests only.
contract HostileRegistry is ERC721 {
    enum Manner {
        HONEST,
        /// @dev Answers a transfer as done, and keeps the token where it is.
        KEEPS,
        /// @dev Calls back before the transfer, and does not care what comes of it.
        REENTERS,
        /// @dev Calls back, and fails as the call fails.
        REENTERS_OR_FAILS
    }

    Manner public manner;
    address private target;
    bytes private data;
    /// @notice Whether the last call back succeeded.
    bool public reentered;

    constructor() ERC721("Hostile", "HOST") {}

    function mint(address to, uint256 tokenId) external {
        _mint(to, tokenId);
    }

    function setManner(Manner next, address callTarget, bytes calldata callData) external {
        (manner, target, data) = (next, callTarget, callData);
    }

    function transferFrom(address from, address to, uint256 tokenId) public override {
        if (manner == Manner.KEEPS) return;
        if (manner == Manner.REENTERS || manner == Manner.REENTERS_OR_FAILS) {
            bytes memory answer;
            (reentered, answer) = target.call(data);
            if (!reentered && manner == Manner.REENTERS_OR_FAILS) {
                assembly ("memory-safe") {
                    revert(add(answer, 32), mload(answer))
                }
            }
        }
        super.transferFrom(from, to, tokenId);
    }
}
