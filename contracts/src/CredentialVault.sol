// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @dev The calls of an ERC-8004 registry that the vault makes.
interface IAgents is IERC721 {
    function register(string calldata agentURI) external returns (uint256 agentId);
    function unsetAgentWallet(uint256 agentId) external;
    function setAgentURI(uint256 agentId, string calldata newURI) external;
    function tokenURI(uint256 agentId) external view returns (string memory);
}

/// @dev The ERC-6551 registry.
interface IAccounts {
    function account(
        address implementation,
        bytes32 salt,
        uint256 chainId,
        address tokenContract,
        uint256 tokenId
    ) external view returns (address);
}

/// @dev The calls of EAS and its schema registry that the vault makes.
interface IAttestations {
    struct Attestation {
        bytes32 uid;
        bytes32 schema;
        uint64 time;
        uint64 expirationTime;
        uint64 revocationTime;
        bytes32 refUID;
        address recipient;
        address attester;
        bool revocable;
        bytes data;
    }

    struct AttestationRequestData {
        address recipient;
        uint64 expirationTime;
        bool revocable;
        bytes32 refUID;
        bytes data;
        uint256 value;
    }

    struct AttestationRequest {
        bytes32 schema;
        AttestationRequestData data;
    }

    struct RevocationRequestData {
        bytes32 uid;
        uint256 value;
    }

    struct RevocationRequest {
        bytes32 schema;
        RevocationRequestData data;
    }

    function attest(AttestationRequest calldata request) external payable returns (bytes32);
    function revoke(RevocationRequest calldata request) external payable;
    function getAttestation(bytes32 uid) external view returns (Attestation memory);
    function getSchemaRegistry() external view returns (address);
}

interface ISchemas {
    struct SchemaRecord {
        bytes32 uid;
        address resolver;
        bool revocable;
        string schema;
    }

    function register(string calldata schema, address resolver, bool revocable) external returns (bytes32);
    function getSchema(bytes32 uid) external view returns (SchemaRecord memory);
}

/// @title Custody of the identity tokens of cards
/// @notice Registers one ERC-8004 token for each card, holds it for the card's owner, and attests whose it is. The
/// custodian signs what is to be done, and anyone may relay that. A token leaves to its owner of record alone.
/// @dev Each act on a card has its step, and the steps follow one another: a signature is good once, and one that
/// another act has overtaken is worthless. Nobody changes or stops the contract.
contract CredentialVault is EIP712, ReentrancyGuardTransient, IERC721Receiver {
    /// @dev `step` is 0 until the token is minted.
    struct Record {
        uint256 tokenId;
        address owner;
        uint64 step;
        bytes32 attestation;
    }

    /// @dev All that is known of a card's identity in one block. `tokenOwner` is zero for a token that was burned. `uriHash` is
    /// keccak256 of the token's URI; zero while the vault does not hold the token, or if the URI is too long to be ours.
    struct Sight {
        uint256 tokenId;
        address owner;
        uint64 step;
        address tokenOwner;
        address holder;
        bool isDeployed;
        bytes32 attestation;
        bool isAttested;
        bytes32 uriHash;
    }

    string public constant SCHEMA = "address registry,uint256 agentId,string cardId,bytes32 evidence";
    bytes32 public constant MINT_TYPEHASH = keccak256("Mint(string cardId,string uri,address owner)");
    bytes32 public constant ASSIGN_TYPEHASH = keccak256("Assign(string cardId,address owner,uint64 step)");
    bytes32 public constant RELEASE_TYPEHASH = keccak256("Release(string cardId,address owner,uint64 step)");
    bytes32 public constant SET_AGENT_URI_TYPEHASH = keccak256("SetAgentURI(string cardId,string uri,uint64 step)");
    /// @dev Enough to read some 2,000 bytes. Whoever has had the token may have stored a URI of any length.
    uint256 private constant URI_GAS = 200_000;

    /// @notice Signs what is to be done. It sends nothing, and cannot be changed.
    address public immutable custodian;
    IAgents public immutable registry;
    IAccounts public immutable accounts;
    /// @notice The implementation of the tokens' ERC-6551 accounts.
    address public immutable implementation;
    IAttestations public immutable eas;
    bytes32 public immutable schema;

    /// @notice By keccak256 of the card's id.
    mapping(bytes32 ref => Record) public records;
    /// @notice The record of a token that was minted here.
    mapping(uint256 tokenId => bytes32 ref) public refOf;
    bool private transient _isMinting;

    /// @notice The card has its token. `ref` is keccak256 of `cardId`.
    event Minted(bytes32 indexed ref, uint256 indexed tokenId, address indexed owner, string cardId);
    /// @notice `owner` is the owner of record from this step on; zero for nobody.
    event Assigned(bytes32 indexed ref, uint256 indexed tokenId, address indexed owner, uint64 step);
    /// @notice The token goes to its owner's wallet.
    event Released(bytes32 indexed ref, uint256 indexed tokenId, address indexed owner, uint64 step);
    /// @notice The token names the registration file at `uri`.
    event AgentURISet(bytes32 indexed ref, uint256 indexed tokenId, string uri, uint64 step);

    /// @dev The custodian did not sign this act.
    error WrongSignature();
    error AlreadyMinted();
    error NotMinted();
    /// @dev Another act came first, or this one was done before.
    error WrongStep();
    /// @dev A token is released to its owner of record alone.
    error NoOwner();
    /// @dev The owner would be the token's own account, which nobody could control any more.
    error OwnedByItself();
    /// @dev Only this registry's tokens, minted here, are taken.
    error NotOurs();

    constructor(
        address custodian_,
        address registry_,
        address accounts_,
        address implementation_,
        address eas_
    ) EIP712("CredentialVault", "1") {
        custodian = custodian_;
        registry = IAgents(registry_);
        accounts = IAccounts(accounts_);
        implementation = implementation_;
        eas = IAttestations(eas_);
        schema = keccak256(abi.encodePacked(SCHEMA, address(0), true));
        ISchemas schemas = ISchemas(eas.getSchemaRegistry());
        if (schemas.getSchema(schema).uid == 0) schemas.register(SCHEMA, address(0), true);
    }

    /// @notice Registers the card's token and attests it. A card gets one, whatever is relayed and how often.
    function mint(
        string calldata cardId,
        string calldata uri,
        address owner,
        bytes calldata signature
    ) external nonReentrant {
        bytes32 ref = keccak256(bytes(cardId));
        if (records[ref].step != 0) revert AlreadyMinted();
        _checkSigned(keccak256(abi.encode(MINT_TYPEHASH, ref, keccak256(bytes(uri)), owner)), signature);
        _isMinting = true;
        uint256 tokenId = registry.register(uri);
        _isMinting = false;
        // Payments that others send to the agent's wallet must not land here, where nobody could use them.
        registry.unsetAgentWallet(tokenId);
        refOf[tokenId] = ref;
        records[ref] = Record(tokenId, address(0), 1, 0);
        emit Minted(ref, tokenId, owner, cardId);
        _setOwner(cardId, ref, owner);
    }

    /// @notice Makes `owner` the owner of record, and attests anew; zero for nobody, which only revokes. It does not matter
    /// where the token is.
    function assign(
        string calldata cardId,
        address owner,
        uint64 step,
        bytes calldata signature
    ) external nonReentrant {
        bytes32 ref = keccak256(bytes(cardId));
        _takeStep(ref, step);
        _checkSigned(keccak256(abi.encode(ASSIGN_TYPEHASH, ref, owner, step)), signature);
        emit Assigned(ref, records[ref].tokenId, owner, step);
        _setOwner(cardId, ref, owner);
    }

    /// @notice Sends the token to its owner of record.
    function release(
        string calldata cardId,
        address owner,
        uint64 step,
        bytes calldata signature
    ) external nonReentrant {
        bytes32 ref = keccak256(bytes(cardId));
        _takeStep(ref, step);
        _checkSigned(keccak256(abi.encode(RELEASE_TYPEHASH, ref, owner, step)), signature);
        Record storage record = records[ref];
        if (owner == address(0) || owner != record.owner) revert NoOwner();
        emit Released(ref, record.tokenId, owner, step);
        registry.safeTransferFrom(address(this), owner, record.tokenId);
    }

    /// @notice Sets the address of the token's registration file. The registry refuses it for a token that is not here.
    function setAgentURI(
        string calldata cardId,
        string calldata uri,
        uint64 step,
        bytes calldata signature
    ) external nonReentrant {
        bytes32 ref = keccak256(bytes(cardId));
        _takeStep(ref, step);
        _checkSigned(keccak256(abi.encode(SET_AGENT_URI_TYPEHASH, ref, keccak256(bytes(uri)), step)), signature);
        uint256 tokenId = records[ref].tokenId;
        emit AgentURISet(ref, tokenId, uri, step);
        registry.setAgentURI(tokenId, uri);
    }

    /// @notice Takes a token that is being minted, or one that was minted here and comes back.
    function onERC721Received(
        address,
        address from,
        uint256 tokenId,
        bytes calldata
    ) external view returns (bytes4) {
        bool isOurs = msg.sender == address(registry) && ((_isMinting && from == address(0)) || refOf[tokenId] != 0);
        if (!isOurs) revert NotOurs();
        return IERC721Receiver.onERC721Received.selector;
    }

    /// @notice All that is known of these cards now.
    function look(bytes32[] calldata refs) external view returns (Sight[] memory sights) {
        sights = new Sight[](refs.length);
        for (uint256 i; i < refs.length; ++i) {
            Record storage record = records[refs[i]];
            Sight memory sight = sights[i];
            if (record.step == 0) continue;
            (sight.tokenId, sight.owner, sight.step) = (record.tokenId, record.owner, record.step);
            sight.holder = holderOf(record.tokenId);
            sight.isDeployed = sight.holder.code.length > 0;
            sight.attestation = record.attestation;
            sight.isAttested = _isLive(record.attestation, sight.holder);
            try registry.ownerOf(record.tokenId) returns (address tokenOwner) {
                sight.tokenOwner = tokenOwner;
            } catch {}
            if (sight.tokenOwner == address(this)) sight.uriHash = _uriHashOf(record.tokenId);
        }
    }

    /// @notice The ERC-6551 account of the token.
    function holderOf(uint256 tokenId) public view returns (address) {
        return accounts.account(implementation, 0, block.chainid, address(registry), tokenId);
    }

    function _uriHashOf(uint256 tokenId) private view returns (bytes32) {
        try registry.tokenURI{gas: URI_GAS}(tokenId) returns (string memory uri) {
            return keccak256(bytes(uri));
        } catch {
            return 0;
        }
    }

    function _takeStep(bytes32 ref, uint64 step) private {
        Record storage record = records[ref];
        if (record.step == 0) revert NotMinted();
        if (step != record.step + 1) revert WrongStep();
        record.step = step;
    }

    function _checkSigned(bytes32 structHash, bytes calldata signature) private view {
        bytes32 digest = _hashTypedDataV4(structHash);
        if (!SignatureChecker.isValidSignatureNowCalldata(custodian, digest, signature)) revert WrongSignature();
    }

    function _setOwner(string calldata cardId, bytes32 ref, address owner) private {
        Record storage record = records[ref];
        address holder = holderOf(record.tokenId);
        if (owner == holder) revert OwnedByItself();
        record.owner = owner;
        bytes32 before = record.attestation;
        if (before != 0) {
            eas.revoke(IAttestations.RevocationRequest(schema, IAttestations.RevocationRequestData(before, 0)));
        }
        record.attestation = owner == address(0) ? bytes32(0) : _attest(cardId, record.tokenId, holder, owner);
    }

    /// @dev The evidence is the hash of the card's id and its owner, so that only those who know both can compare it.
    function _attest(
        string calldata cardId,
        uint256 tokenId,
        address holder,
        address owner
    ) private returns (bytes32) {
        bytes32 evidence = keccak256(abi.encode(cardId, owner));
        return eas.attest(
            IAttestations.AttestationRequest(
                schema,
                IAttestations.AttestationRequestData({
                    recipient: holder,
                    expirationTime: 0,
                    revocable: true,
                    refUID: 0,
                    data: abi.encode(address(registry), tokenId, cardId, evidence),
                    value: 0
                })
            )
        );
    }

    function _isLive(bytes32 uid, address holder) private view returns (bool) {
        if (uid == 0) return false;
        IAttestations.Attestation memory found = eas.getAttestation(uid);
        bool isOurs = found.schema == schema && found.attester == address(this) && found.recipient == holder;
        bool isOver = found.expirationTime != 0 && found.expirationTime <= block.timestamp;
        return isOurs && found.revocationTime == 0 && !isOver;
    }
}
