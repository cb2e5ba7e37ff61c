// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
}

interface IDepositCollector {
    function collect(address payer, address token, uint256 amount, bytes32 channelId, bytes calldata data) external;
}

/// Stands in for the x402 batch-settlement contract on a local chain: the same interface, typed data, events and errors,
/// written from its public interface, for voucher keys that sign by themselves.
///
/// The code is placed at the canonical address without a deployment, so nothing may depend on a constructor.
contract BatchSettlement {
    struct ChannelConfig {
        address payer;
        address payerAuthorizer;
        address receiver;
        address receiverAuthorizer;
        address token;
        uint40 withdrawDelay;
        bytes32 salt;
    }

    struct Voucher {
        ChannelConfig channel;
        uint128 maxClaimableAmount;
    }

    struct VoucherClaim {
        Voucher voucher;
        bytes signature;
        uint128 totalClaimed;
    }

    struct Channel {
        uint128 balance;
        uint128 totalClaimed;
    }

    struct Withdrawal {
        uint128 amount;
        uint40 initiatedAt;
    }

    struct Receiver {
        uint128 totalClaimed;
        uint128 totalSettled;
    }

    error ClaimExceedsBalance();
    error ClaimExceedsCeiling();
    error EmptyBatch();
    error InvalidChannel();
    error InvalidNonce();
    error InvalidSignature();
    error NotAuthorized();
    error NothingToSettle();
    error WithdrawalNotReady();
    error WithdrawalTooLarge();
    error WithdrawDelayOutOfRange();

    event ChannelCreated(bytes32 indexed channelId, ChannelConfig config);
    event ChannelClosed(bytes32 indexed channelId, ChannelConfig config);
    event Deposited(bytes32 indexed channelId, address indexed sender, uint128 amount, uint128 newBalance);
    event Claimed(bytes32 indexed channelId, address indexed sender, uint128 claimAmount, uint128 newTotalClaimed);
    event Settled(address indexed receiver, address indexed token, address indexed sender, uint128 amount);
    event Refunded(bytes32 indexed channelId, address indexed sender, uint128 amount);
    event WithdrawInitiated(bytes32 indexed channelId, uint128 amount, uint40 finalizeAfter);
    event WithdrawFinalized(bytes32 indexed channelId, address indexed sender, uint128 amount);

    bytes32 public constant CHANNEL_CONFIG_TYPEHASH = keccak256(
        "ChannelConfig(address payer,address payerAuthorizer,address receiver,address receiverAuthorizer,address token,uint40 withdrawDelay,bytes32 salt)"
    );
    bytes32 private constant VOUCHER_TYPEHASH = keccak256("Voucher(bytes32 channelId,uint128 maxClaimableAmount)");
    bytes32 private constant REFUND_TYPEHASH = keccak256("Refund(bytes32 channelId,uint256 nonce,uint128 amount)");
    bytes32 private constant ENTRY_TYPEHASH =
        keccak256("ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)");
    bytes32 private constant BATCH_TYPEHASH = keccak256(
        "ClaimBatch(ClaimEntry[] claims)ClaimEntry(bytes32 channelId,uint128 maxClaimableAmount,uint128 totalClaimed)"
    );
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    uint256 private constant MAX_S = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    mapping(bytes32 channelId => Channel) public channels;
    mapping(bytes32 channelId => Withdrawal) public pendingWithdrawals;
    mapping(bytes32 channelId => uint256) public refundNonce;
    mapping(address receiver => mapping(address token => Receiver)) public receivers;

    // What is signed

    function getChannelId(ChannelConfig calldata config) public view returns (bytes32) {
        return _digest(keccak256(abi.encode(CHANNEL_CONFIG_TYPEHASH, config)));
    }

    function getVoucherDigest(bytes32 channelId, uint128 maxClaimableAmount) public view returns (bytes32) {
        return _digest(keccak256(abi.encode(VOUCHER_TYPEHASH, channelId, maxClaimableAmount)));
    }

    function getRefundDigest(bytes32 channelId, uint256 nonce, uint128 amount) public view returns (bytes32) {
        return _digest(keccak256(abi.encode(REFUND_TYPEHASH, channelId, nonce, amount)));
    }

    function getClaimBatchDigest(VoucherClaim[] calldata rows) public view returns (bytes32) {
        bytes32[] memory entries = new bytes32[](rows.length);
        for (uint256 i = 0; i < rows.length; i++) {
            VoucherClaim calldata row = rows[i];
            bytes32 id = getChannelId(row.voucher.channel);
            entries[i] =
                keccak256(abi.encode(ENTRY_TYPEHASH, id, row.voucher.maxClaimableAmount, row.totalClaimed));
        }
        return _digest(keccak256(abi.encode(BATCH_TYPEHASH, keccak256(abi.encodePacked(entries)))));
    }

    // The payer's side

    function deposit(ChannelConfig calldata config, uint128 amount, address collector, bytes calldata collectorData)
        external
    {
        if (config.payer == address(0) || config.receiver == address(0) || config.receiverAuthorizer == address(0)) {
            revert InvalidChannel();
        }
        if (config.withdrawDelay < 15 minutes || config.withdrawDelay > 30 days) revert WithdrawDelayOutOfRange();
        bytes32 id = getChannelId(config);
        uint256 before = IToken(config.token).balanceOf(address(this));
        IDepositCollector(collector).collect(config.payer, config.token, amount, id, collectorData);
        if (amount == 0 || IToken(config.token).balanceOf(address(this)) != before + amount) revert InvalidChannel();
        Channel storage channel = channels[id];
        if (channel.balance == channel.totalClaimed) emit ChannelCreated(id, config);
        channel.balance += amount;
        emit Deposited(id, msg.sender, amount, channel.balance);
    }

    function initiateWithdraw(ChannelConfig calldata config, uint128 amount) external {
        if (msg.sender != config.payer && msg.sender != config.payerAuthorizer) revert NotAuthorized();
        bytes32 id = getChannelId(config);
        Channel storage channel = channels[id];
        if (amount == 0 || amount > channel.balance - channel.totalClaimed) revert WithdrawalTooLarge();
        if (pendingWithdrawals[id].initiatedAt != 0) revert WithdrawalNotReady();
        pendingWithdrawals[id] = Withdrawal(amount, uint40(block.timestamp));
        emit WithdrawInitiated(id, amount, uint40(block.timestamp) + config.withdrawDelay);
    }

    function finalizeWithdraw(ChannelConfig calldata config) external {
        bytes32 id = getChannelId(config);
        Withdrawal memory pending = pendingWithdrawals[id];
        if (pending.initiatedAt == 0 || block.timestamp < uint256(pending.initiatedAt) + config.withdrawDelay) {
            revert WithdrawalNotReady();
        }
        delete pendingWithdrawals[id];
        uint128 paid = _payBack(config, id, pending.amount);
        emit WithdrawFinalized(id, msg.sender, paid);
    }

    // The receiver's side

    function claim(VoucherClaim[] calldata rows) external {
        for (uint256 i = 0; i < rows.length; i++) {
            if (msg.sender != rows[i].voucher.channel.receiverAuthorizer) revert NotAuthorized();
        }
        _claim(rows);
    }

    function claimWithSignature(VoucherClaim[] calldata rows, bytes calldata authorizerSignature) external {
        if (rows.length == 0) revert EmptyBatch();
        address authorizer = rows[0].voucher.channel.receiverAuthorizer;
        for (uint256 i = 1; i < rows.length; i++) {
            if (rows[i].voucher.channel.receiverAuthorizer != authorizer) revert NotAuthorized();
        }
        if (_recover(getClaimBatchDigest(rows), authorizerSignature) != authorizer) revert InvalidSignature();
        _claim(rows);
    }

    function settle(address receiver, address token) external {
        Receiver storage account = receivers[receiver][token];
        uint128 amount = account.totalClaimed - account.totalSettled;
        if (amount == 0) revert NothingToSettle();
        account.totalSettled = account.totalClaimed;
        IToken(token).transfer(receiver, amount);
        emit Settled(receiver, token, msg.sender, amount);
    }

    function refund(ChannelConfig calldata config, uint128 amount) external {
        if (msg.sender != config.receiverAuthorizer) revert NotAuthorized();
        _refund(config, getChannelId(config), amount);
    }

    function refundWithSignature(ChannelConfig calldata config, uint128 amount, uint256 nonce, bytes calldata signature)
        external
    {
        bytes32 id = getChannelId(config);
        if (nonce != refundNonce[id]) revert InvalidNonce();
        if (_recover(getRefundDigest(id, nonce, amount), signature) != config.receiverAuthorizer) {
            revert InvalidSignature();
        }
        _refund(config, id, amount);
    }

    function multicall(bytes[] calldata data) external returns (bytes[] memory results) {
        results = new bytes[](data.length);
        for (uint256 i = 0; i < data.length; i++) {
            (bool success, bytes memory result) = address(this).delegatecall(data[i]);
            if (!success) {
                assembly {
                    revert(add(result, 0x20), mload(result))
                }
            }
            results[i] = result;
        }
    }

    // Shared by the above

    function _claim(VoucherClaim[] calldata rows) private {
        for (uint256 i = 0; i < rows.length; i++) {
            VoucherClaim calldata row = rows[i];
            ChannelConfig calldata config = row.voucher.channel;
            bytes32 id = getChannelId(config);
            Channel storage channel = channels[id];
            if (row.totalClaimed <= channel.totalClaimed) continue;
            if (row.totalClaimed > row.voucher.maxClaimableAmount) revert ClaimExceedsCeiling();
            if (row.totalClaimed > channel.balance) revert ClaimExceedsBalance();
            if (_recover(getVoucherDigest(id, row.voucher.maxClaimableAmount), row.signature) != config.payerAuthorizer) {
                revert InvalidSignature();
            }
            uint128 gained = row.totalClaimed - channel.totalClaimed;
            channel.totalClaimed = row.totalClaimed;
            receivers[config.receiver][config.token].totalClaimed += gained;
            emit Claimed(id, msg.sender, gained, row.totalClaimed);
        }
    }

    function _refund(ChannelConfig calldata config, bytes32 id, uint128 amount) private {
        refundNonce[id]++;
        uint128 paid = _payBack(config, id, amount);
        Channel storage channel = channels[id];
        uint128 left = channel.balance - channel.totalClaimed;
        if (pendingWithdrawals[id].amount > left) pendingWithdrawals[id].amount = left;
        if (left == 0) delete pendingWithdrawals[id];
        emit Refunded(id, msg.sender, paid);
    }

    function _payBack(ChannelConfig calldata config, bytes32 id, uint128 asked) private returns (uint128 paid) {
        Channel storage channel = channels[id];
        uint128 left = channel.balance - channel.totalClaimed;
        paid = asked < left ? asked : left;
        channel.balance -= paid;
        if (paid > 0) IToken(config.token).transfer(config.payer, paid);
        if (channel.balance == channel.totalClaimed) emit ChannelClosed(id, config);
    }

    function _digest(bytes32 structHash) private view returns (bytes32) {
        bytes32 separator = keccak256(
            abi.encode(DOMAIN_TYPEHASH, keccak256("x402 Batch Settlement"), keccak256("1"), block.chainid, address(this))
        );
        return keccak256(abi.encodePacked(hex"1901", separator, structHash));
    }

    function _recover(bytes32 digest, bytes calldata signature) private pure returns (address signer) {
        if (signature.length != 65) revert InvalidSignature();
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > MAX_S) revert InvalidSignature();
        signer = ecrecover(digest, uint8(signature[64]), bytes32(signature[:32]), s);
        if (signer == address(0)) revert InvalidSignature();
    }
}
