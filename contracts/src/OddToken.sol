// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DevToken} from "./DevToken.sol";

/// @title An ERC-20 for tests that does what tokens should not
contract OddToken is DevToken {
    enum Manner {
        Honest,
        TakesFee,
        Paused,
        Refuses,
        MovesNothing,
        OnlyOnce,
        BurnsGas,
        OnlyFree,
        AnswersFalse,
        Rebases
    }

    Manner public manner;
    mapping(address account => bool isBlocked) public isBlacklisted;
    /// @dev Who has received, so that what is bought cannot be sold.
    mapping(address account => bool) private _hasReceived;

    error EnforcedPause();
    error Blacklisted();
    error Refused();

    function setManner(Manner next) external {
        manner = next;
    }

    function setBlacklisted(address account, bool isBlocked) external {
        isBlacklisted[account] = isBlocked;
    }

    /// @notice What tokens call it whose balances change by themselves. This one changes nothing.
    function rebase(uint256, int256) external pure returns (uint256) {
        return 0;
    }

    function paused() external view returns (bool) {
        return manner == Manner.Paused;
    }

    function pause() external {
        manner = Manner.Paused;
    }

    function _move(address from, address to, uint256 value) internal override {
        if (manner == Manner.Paused) revert EnforcedPause();
        if (manner == Manner.Refuses) revert Refused();
        // As in a simulation that names no gas price.
        if (manner == Manner.OnlyFree && tx.gasprice > 0) revert Refused();
        if (manner == Manner.BurnsGas) while (true) {}
        if (isBlacklisted[from] || isBlacklisted[to]) revert Blacklisted();
        if (manner == Manner.OnlyOnce && _hasReceived[from]) revert Refused();
        // The caller is given false in place of what this call would have answered.
        if (manner == Manner.AnswersFalse) {
            assembly ("memory-safe") {
                mstore(0, 0)
                return(0, 32)
            }
        }
        // What the receiver had shrinks without a log, as by a new index of all balances.
        if (manner == Manner.Rebases) balanceOf[to] -= balanceOf[to] / 10;
        if (manner == Manner.MovesNothing) {
            emit Transfer(from, to, value);
            return;
        }
        _hasReceived[to] = true;
        super._move(from, to, value);
        if (manner == Manner.TakesFee) {
            balanceOf[to] -= value / 100;
            balanceOf[address(this)] += value / 100;
        }
    }
}
