// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";

/// @title The token of one card
/// @notice Its supply is made once, for its creator, whoever deploys it. Nobody owns the contract, and nobody can mint,
/// pause or tax. It is no claim on what the card earns.
contract CrtToken is ERC20, ERC20Permit {
    /// @notice The card's id in ASCII, filled up with zeros.
    bytes32 public immutable cardId;

    /// @dev The domain of permits has room for 31 bytes: a longer name is the symbol there. `eip712Domain` tells it.
    /// @param kept What the creator locks: `lockup` may take it.
    /// @param permit2 May take the rest, for the pool. So the launch needs no approval of this token.
    constructor(
        string memory name_,
        string memory symbol_,
        address creator,
        uint256 supply,
        bytes32 cardId_,
        address lockup,
        uint256 kept,
        address permit2
    ) ERC20(name_, symbol_) ERC20Permit(bytes(name_).length < 32 ? name_ : symbol_) {
        cardId = cardId_;
        _mint(creator, supply);
        if (kept != 0) _approve(creator, lockup, kept);
        _approve(creator, permit2, supply - kept);
    }
}
