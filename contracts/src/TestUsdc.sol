// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CircleSignatures} from "./CircleSignatures.sol";

/// @title Development stand-in for USDC
/// @notice Has the calls, EIP-712 domain, events and revert strings of Circle's FiatTokenV2_2, so that a client
/// that pays with it pays with USDC unchanged. Left out: the rescuer, and the owner's changes of role holders.
/// @dev Its runtime code may be placed at any address and initialised there: nothing is set by a constructor.
contract TestUsdc {
    bytes32 public constant TRANSFER_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant RECEIVE_WITH_AUTHORIZATION_TYPEHASH = keccak256(
        "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
    bytes32 public constant CANCEL_AUTHORIZATION_TYPEHASH =
        keccak256("CancelAuthorization(address authorizer,bytes32 nonce)");
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");

    /// @dev The top bit of a balance word says that the account is blacklisted; the rest is the balance.
    uint256 private constant BLACKLIST_BIT = 1 << 255;
    uint256 private constant BALANCE_MASK = BLACKLIST_BIT - 1;

    uint8 public constant decimals = 6;
    string public constant currency = "USD";

    string public name;
    string public symbol;
    uint256 public totalSupply;
    address public masterMinter;
    address public blacklister;
    address public pauser;
    bool public paused;
    bool private initialized;

    mapping(address account => uint256 word) private balanceAndBlacklistStates;
    mapping(address owner => mapping(address spender => uint256 value)) public allowance;
    mapping(address owner => uint256 nonce) public nonces;
    mapping(address minter => bool allowed) public isMinter;
    mapping(address minter => uint256 value) public minterAllowance;
    mapping(address authorizer => mapping(bytes32 nonce => bool used)) private authorizationStates;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce);
    event Blacklisted(address indexed _account);
    event UnBlacklisted(address indexed _account);
    event Mint(address indexed minter, address indexed to, uint256 amount);
    event Burn(address indexed burner, uint256 amount);
    event MinterConfigured(address indexed minter, uint256 minterAllowedAmount);
    event MinterRemoved(address indexed oldMinter);
    event Pause();
    event Unpause();

    /// @dev One EIP-3009 authorization; `typehash` says whether it is for anyone or only for the payee to submit.
    struct Authorization {
        bytes32 typehash;
        address from;
        address to;
        uint256 value;
        uint256 validAfter;
        uint256 validBefore;
        bytes32 nonce;
    }

    modifier whenNotPaused() {
        require(!paused, "Pausable: paused");
        _;
    }

    modifier notBlacklisted(address account) {
        require(!isBlacklisted(account), "Blacklistable: account is blacklisted");
        _;
    }

    modifier onlyMinters() {
        require(isMinter[msg.sender], "FiatToken: caller is not a minter");
        _;
    }

    modifier onlyMasterMinter() {
        require(msg.sender == masterMinter, "FiatToken: caller is not the masterMinter");
        _;
    }

    modifier onlyPauser() {
        require(msg.sender == pauser, "Pausable: caller is not the pauser");
        _;
    }

    modifier onlyBlacklister() {
        require(msg.sender == blacklister, "Blacklistable: caller is not the blacklister");
        _;
    }

    /// @notice Names the token, once, and gives `admin` the roles of master minter, pauser and blacklister.
    function initialize(string calldata tokenName, string calldata tokenSymbol, address admin) external {
        require(!initialized, "FiatToken: contract is already initialized");
        initialized = true;
        name = tokenName;
        symbol = tokenSymbol;
        masterMinter = admin;
        pauser = admin;
        blacklister = admin;
        // As in Circle's contract, money sent to the token itself would be lost, so it is refused.
        balanceAndBlacklistStates[address(this)] = BLACKLIST_BIT;
    }

    /// @notice The version in the EIP-712 domain.
    function version() external pure returns (string memory) {
        return "2";
    }

    /// @notice The EIP-712 domain separator, for the chain it is asked on.
    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        bytes32 nameHash = keccak256(bytes(name));
        return keccak256(abi.encode(DOMAIN_TYPEHASH, nameHash, keccak256("2"), block.chainid, address(this)));
    }

    // Balances and allowances (ERC-20)

    function balanceOf(address account) public view returns (uint256) {
        return balanceAndBlacklistStates[account] & BALANCE_MASK;
    }

    function transfer(
        address to,
        uint256 value
    ) external whenNotPaused notBlacklisted(msg.sender) notBlacklisted(to) returns (bool) {
        _transfer(msg.sender, to, value);
        return true;
    }

    /// @notice Every transfer lowers the allowance, an unlimited one too.
    function transferFrom(
        address from,
        address to,
        uint256 value
    ) external whenNotPaused notBlacklisted(msg.sender) notBlacklisted(from) notBlacklisted(to) returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(value <= allowed, "ERC20: transfer amount exceeds allowance");
        _transfer(from, to, value);
        allowance[from][msg.sender] = allowed - value;
        return true;
    }

    function approve(address spender, uint256 value) external whenNotPaused returns (bool) {
        _approve(msg.sender, spender, value);
        return true;
    }

    function increaseAllowance(address spender, uint256 increment) external whenNotPaused returns (bool) {
        _approve(msg.sender, spender, allowance[msg.sender][spender] + increment);
        return true;
    }

    function decreaseAllowance(address spender, uint256 decrement) external whenNotPaused returns (bool) {
        uint256 allowed = allowance[msg.sender][spender];
        require(decrement <= allowed, "ERC20: decreased allowance below zero");
        _approve(msg.sender, spender, allowed - decrement);
        return true;
    }

    // Permits (EIP-2612)

    /// @notice Sets an allowance by the owner's signature. `deadline` is a unix time in seconds, or the greatest uint256.
    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external whenNotPaused {
        _permit(owner, spender, value, deadline, abi.encodePacked(r, s, v));
    }

    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        bytes calldata signature
    ) external whenNotPaused {
        _permit(owner, spender, value, deadline, signature);
    }

    // Authorizations (EIP-3009)

    /// @notice Whether the nonce is used or cancelled.
    function authorizationState(address authorizer, bytes32 nonce) external view returns (bool) {
        return authorizationStates[authorizer][nonce];
    }

    /// @notice Moves money by the payer's signature; anyone may submit it. Valid strictly between the two unix times.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external whenNotPaused notBlacklisted(from) notBlacklisted(to) {
        _authorizedTransfer(
            Authorization(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce),
            abi.encodePacked(r, s, v)
        );
    }

    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external whenNotPaused notBlacklisted(from) notBlacklisted(to) {
        _authorizedTransfer(
            Authorization(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce),
            signature
        );
    }

    /// @notice As `transferWithAuthorization`, but only the payee may submit it, so nobody can run ahead of a contract.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external whenNotPaused notBlacklisted(from) notBlacklisted(to) {
        require(to == msg.sender, "FiatTokenV2: caller must be the payee");
        _authorizedTransfer(
            Authorization(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce),
            abi.encodePacked(r, s, v)
        );
    }

    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external whenNotPaused notBlacklisted(from) notBlacklisted(to) {
        require(to == msg.sender, "FiatTokenV2: caller must be the payee");
        _authorizedTransfer(
            Authorization(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce),
            signature
        );
    }

    /// @notice Uses up a nonce by its owner's signature, so that an authorization already given is worth nothing.
    function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) external whenNotPaused {
        _cancelAuthorization(authorizer, nonce, abi.encodePacked(r, s, v));
    }

    function cancelAuthorization(address authorizer, bytes32 nonce, bytes calldata signature) external whenNotPaused {
        _cancelAuthorization(authorizer, nonce, signature);
    }

    // Roles

    function configureMinter(address minter, uint256 amount) external whenNotPaused onlyMasterMinter returns (bool) {
        isMinter[minter] = true;
        minterAllowance[minter] = amount;
        emit MinterConfigured(minter, amount);
        return true;
    }

    function removeMinter(address minter) external onlyMasterMinter returns (bool) {
        isMinter[minter] = false;
        minterAllowance[minter] = 0;
        emit MinterRemoved(minter);
        return true;
    }

    function mint(
        address to,
        uint256 value
    ) external whenNotPaused onlyMinters notBlacklisted(msg.sender) notBlacklisted(to) returns (bool) {
        require(to != address(0), "FiatToken: mint to the zero address");
        require(value > 0, "FiatToken: mint amount not greater than 0");
        uint256 allowed = minterAllowance[msg.sender];
        require(value <= allowed, "FiatToken: mint amount exceeds minterAllowance");
        minterAllowance[msg.sender] = allowed - value;
        totalSupply += value;
        _setBalance(to, balanceOf(to) + value);
        emit Mint(msg.sender, to, value);
        emit Transfer(address(0), to, value);
        return true;
    }

    function burn(uint256 value) external whenNotPaused onlyMinters notBlacklisted(msg.sender) {
        uint256 balance = balanceOf(msg.sender);
        require(value > 0, "FiatToken: burn amount not greater than 0");
        require(value <= balance, "FiatToken: burn amount exceeds balance");
        totalSupply -= value;
        _setBalance(msg.sender, balance - value);
        emit Burn(msg.sender, value);
        emit Transfer(msg.sender, address(0), value);
    }

    function pause() external onlyPauser {
        paused = true;
        emit Pause();
    }

    function unpause() external onlyPauser {
        paused = false;
        emit Unpause();
    }

    function isBlacklisted(address account) public view returns (bool) {
        return balanceAndBlacklistStates[account] & BLACKLIST_BIT != 0;
    }

    function blacklist(address account) external onlyBlacklister {
        balanceAndBlacklistStates[account] |= BLACKLIST_BIT;
        emit Blacklisted(account);
    }

    function unBlacklist(address account) external onlyBlacklister {
        balanceAndBlacklistStates[account] &= BALANCE_MASK;
        emit UnBlacklisted(account);
    }

    // What the calls above are made of

    function _transfer(address from, address to, uint256 value) private {
        require(from != address(0), "ERC20: transfer from the zero address");
        require(to != address(0), "ERC20: transfer to the zero address");
        require(value <= balanceOf(from), "ERC20: transfer amount exceeds balance");
        _setBalance(from, balanceOf(from) - value);
        _setBalance(to, balanceOf(to) + value);
        emit Transfer(from, to, value);
    }

    function _setBalance(address account, uint256 balance) private {
        require(balance <= BALANCE_MASK, "FiatTokenV2_2: Balance exceeds (2^255 - 1)");
        require(!isBlacklisted(account), "FiatTokenV2_2: Account is blacklisted");
        balanceAndBlacklistStates[account] = balance;
    }

    function _approve(address owner, address spender, uint256 value) private {
        require(owner != address(0), "ERC20: approve from the zero address");
        require(spender != address(0), "ERC20: approve to the zero address");
        allowance[owner][spender] = value;
        emit Approval(owner, spender, value);
    }

    function _permit(address owner, address spender, uint256 value, uint256 deadline, bytes memory signature) private {
        require(deadline == type(uint256).max || deadline >= block.timestamp, "FiatTokenV2: permit is expired");
        bytes32 structHash = keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, nonces[owner]++, deadline));
        require(_isSignedBy(owner, structHash, signature), "EIP2612: invalid signature");
        _approve(owner, spender, value);
    }

    function _authorizedTransfer(Authorization memory authorization, bytes memory signature) private {
        address from = authorization.from;
        bytes32 nonce = authorization.nonce;
        require(block.timestamp > authorization.validAfter, "FiatTokenV2: authorization is not yet valid");
        require(block.timestamp < authorization.validBefore, "FiatTokenV2: authorization is expired");
        require(!authorizationStates[from][nonce], "FiatTokenV2: authorization is used or canceled");
        // A struct of static members encodes as its members in a row, which is what EIP-712 hashes.
        bytes32 structHash = keccak256(abi.encode(authorization));
        require(_isSignedBy(from, structHash, signature), "FiatTokenV2: invalid signature");
        authorizationStates[from][nonce] = true;
        emit AuthorizationUsed(from, nonce);
        _transfer(from, authorization.to, authorization.value);
    }

    function _cancelAuthorization(address authorizer, bytes32 nonce, bytes memory signature) private {
        require(!authorizationStates[authorizer][nonce], "FiatTokenV2: authorization is used or canceled");
        bytes32 structHash = keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce));
        require(_isSignedBy(authorizer, structHash, signature), "FiatTokenV2: invalid signature");
        authorizationStates[authorizer][nonce] = true;
        emit AuthorizationCanceled(authorizer, nonce);
    }

    function _isSignedBy(address signer, bytes32 structHash, bytes memory signature) private view returns (bool) {
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), structHash));
        return CircleSignatures.isValid(signer, digest, signature);
    }
}
