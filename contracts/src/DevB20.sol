// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title Development stand-in for a token of Base's B20 standard
/// @notice On Base the node itself is the token. Here this code is placed at an address of the same form and named
/// once by `initialize`. It has what a payment meets: transfers with and without a memo, pausing, blocked accounts,
/// the multiplier that wallets show balances by, and EIP-2612 for payers with a key.
contract DevB20 {
    enum PausableFeature {
        TRANSFER,
        MINT,
        BURN
    }

    bytes32 public constant TRANSFER_SENDER_POLICY = keccak256("TRANSFER_SENDER_POLICY");
    bytes32 public constant TRANSFER_RECEIVER_POLICY = keccak256("TRANSFER_RECEIVER_POLICY");
    bytes32 private constant PERMIT =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant DOMAIN =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    uint64 private constant BLOCKED = 2;

    string public name;
    string public symbol;
    uint8 public decimals;
    uint256 public totalSupply;
    uint256 public multiplier;
    address private _admin;
    uint256 private _paused;
    mapping(address account => uint256 value) public balanceOf;
    mapping(address owner => mapping(address spender => uint256 value)) public allowance;
    mapping(address owner => uint256 count) public nonces;
    mapping(address account => bool) private _isBlocked;

    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed owner, address indexed spender, uint256 amount);
    event Memo(address indexed caller, bytes32 indexed memo);

    error AlreadyInitialized();
    error AccessControlUnauthorizedAccount(address account, bytes32 neededRole);
    error ContractPaused(PausableFeature feature);
    error PolicyForbids(bytes32 policyScope, uint64 policyId);
    error InsufficientBalance(address sender, uint256 balance, uint256 needed);
    error InsufficientAllowance(address spender, uint256 allowance, uint256 needed);
    error InvalidReceiver(address receiver);
    error ExpiredSignature(uint256 deadline);
    error InvalidSigner(address signer, address owner);

    modifier onlyAdmin() {
        if (msg.sender != _admin) revert AccessControlUnauthorizedAccount(msg.sender, 0);
        _;
    }

    function initialize(string calldata name_, string calldata symbol_, uint8 decimals_, address admin) external {
        if (_admin != address(0)) revert AlreadyInitialized();
        (name, symbol, decimals, _admin, multiplier) = (name_, symbol_, decimals_, admin, 1e18);
    }

    function mint(address to, uint256 value) external onlyAdmin {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function pause(PausableFeature[] calldata features) external onlyAdmin {
        for (uint256 i; i < features.length; ++i) _paused |= 1 << uint8(features[i]);
    }

    function unpause(PausableFeature[] calldata features) external onlyAdmin {
        for (uint256 i; i < features.length; ++i) _paused &= ~(1 << uint8(features[i]));
    }

    function isPaused(PausableFeature feature) public view returns (bool) {
        return _paused & (1 << uint8(feature)) != 0;
    }

    /// @notice Stands for a policy that refuses the account.
    function setBlocked(address account, bool isBlocked) external onlyAdmin {
        _isBlocked[account] = isBlocked;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        _spend(from, value);
        _move(from, to, value);
        return true;
    }

    function transferWithMemo(address to, uint256 value, bytes32 memo) external returns (bool) {
        _move(msg.sender, to, value);
        emit Memo(msg.sender, memo);
        return true;
    }

    function transferFromWithMemo(address from, address to, uint256 value, bytes32 memo) external returns (bool) {
        _spend(from, value);
        _move(from, to, value);
        emit Memo(msg.sender, memo);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        if (deadline < block.timestamp) revert ExpiredSignature(deadline);
        bytes32 message = keccak256(abi.encode(PERMIT, owner, spender, value, nonces[owner]++, deadline));
        (address signer, , ) = ECDSA.tryRecover(
            keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), message)),
            v,
            r,
            s
        );
        if (signer != owner || owner == address(0)) revert InvalidSigner(signer, owner);
        _approve(owner, spender, value);
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN, keccak256(bytes(name)), keccak256("1"), block.chainid, address(this)));
    }

    function _approve(address owner, address spender, uint256 value) private {
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }

    function _spend(address from, uint256 value) private {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < value) revert InsufficientAllowance(msg.sender, allowed, value);
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
    }

    function _move(address from, address to, uint256 value) private {
        if (isPaused(PausableFeature.TRANSFER)) revert ContractPaused(PausableFeature.TRANSFER);
        if (to == address(0)) revert InvalidReceiver(to);
        if (_isBlocked[from]) revert PolicyForbids(TRANSFER_SENDER_POLICY, BLOCKED);
        if (_isBlocked[to]) revert PolicyForbids(TRANSFER_RECEIVER_POLICY, BLOCKED);
        uint256 balance = balanceOf[from];
        if (balance < value) revert InsufficientBalance(from, balance, value);
        unchecked {
            balanceOf[from] = balance - value;
            balanceOf[to] += value;
        }
        emit Transfer(from, to, value);
    }
}

/// @title Development stand-in for the B20 factory
/// @notice Tells which addresses are tokens of the standard. It makes none: their code is placed.
contract DevB20Factory {
    /// @notice Whether the address has the form 0xB2, nine zero bytes, the variant, and nine bytes of a hash.
    function isB20(address token) public pure returns (bool) {
        return uint160(token) >> 80 == uint160(0xB2) << 72;
    }

    function isB20Initialized(address token) external view returns (bool) {
        return isB20(token) && token.code.length != 0;
    }
}
