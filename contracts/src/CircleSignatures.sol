// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @notice Signature checks with the outcomes of Circle's SignatureChecker and ECRecover libraries.
library CircleSignatures {
    /// @notice Whether `signer` signed `digest`: by ERC-1271 if it has code, else by ECDSA, whatever the bytes look like.
    /// A signature that is malformed, rather than somebody else's, reverts with Circle's reason.
    function isValid(address signer, bytes32 digest, bytes memory signature) internal view returns (bool) {
        if (signer.code.length > 0) {
            return SignatureChecker.isValidERC1271SignatureNow(signer, digest, signature);
        }
        (address recovered, ECDSA.RecoverError failure, ) = ECDSA.tryRecover(digest, signature);
        require(failure != ECDSA.RecoverError.InvalidSignatureLength, "ECRecover: invalid signature length");
        require(failure != ECDSA.RecoverError.InvalidSignatureS, "ECRecover: invalid signature 's' value");
        uint8 v = uint8(signature[64]);
        require(v == 27 || v == 28, "ECRecover: invalid signature 'v' value");
        require(failure == ECDSA.RecoverError.NoError, "ECRecover: invalid signature");
        return recovered == signer;
    }
}
