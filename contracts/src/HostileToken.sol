// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A token for tests of attacks
/// @notice Each payer has a manner in which calls that move its tokens misbehave. Its balances, allowances and
/// signatures are never checked: what it is for is how it answers.
contract HostileToken {
    enum Manner {
        Honest,
        AnswersFalse,
        AnswersNothing,
        AnswersTwo,
        BurnsGas,
        RevertsAtLength,
        AnswersAtLength,
        Reenters,
        SaysNothing
    }

    mapping(address payer => Manner manner) public manners;
    mapping(address account => uint256 value) public balanceOf;
    /// @notice What re-entering calls, and whether the last one succeeded.
    address public target;
    bytes public reentry;
    bool public hasReentered;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

    function setManner(address payer, Manner manner) external {
        manners[payer] = manner;
    }

    function setReentry(address callee, bytes calldata data) external {
        target = callee;
        reentry = data;
    }

    /// @notice Calls as this token, so that it can be an operator itself.
    function forward(address callee, bytes calldata data) external {
        (bool isDone, bytes memory answer) = callee.call(data);
        if (!isDone) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
    }

    /// @notice With v, r and s alone, as tokens older than Circle's version 2.2.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256,
        uint256,
        bytes32 nonce,
        uint8,
        bytes32,
        bytes32
    ) external {
        if (manners[from] != Manner.SaysNothing) emit AuthorizationUsed(from, nonce);
        _move(from, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        _move(from, to, value);
        Manner manner = manners[from];
        if (manner == Manner.AnswersNothing) return;
        uint256 answer = manner == Manner.AnswersFalse ? 0 : manner == Manner.AnswersTwo ? 2 : 1;
        assembly ("memory-safe") {
            mstore(0, answer)
            return(0, 32)
        }
    }

    function _move(address from, address to, uint256 value) private {
        Manner manner = manners[from];
        if (manner == Manner.AnswersFalse) return;
        if (manner == Manner.BurnsGas) while (true) {}
        if (manner == Manner.RevertsAtLength) {
            assembly {
                revert(0, 100000)
            }
        }
        if (manner == Manner.Reenters) (hasReentered, ) = target.call(reentry);
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        if (manner == Manner.AnswersAtLength) {
            assembly {
                mstore(0, 1)
                return(0, 100000)
            }
        }
    }
}
