// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

/// @title Takes a token, and makes a call of its choice meanwhile. For tests alone
contract HostileHolder is IERC721Receiver {
    address private _target;
    bytes private _data;

    function aim(address target, bytes calldata data) external {
        (_target, _data) = (target, data);
    }

    function onERC721Received(address, address, uint256, bytes calldata) external returns (bytes4) {
        (bool isDone, bytes memory answer) = _target.call(_data);
        if (!isDone) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
        return IERC721Receiver.onERC721Received.selector;
    }
}
