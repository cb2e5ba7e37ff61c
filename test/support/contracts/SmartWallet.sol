// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A contract wallet: its signature (EIP-1271) is one byte 0x01 followed by the owner's ECDSA signature, so that it
/// can never be mistaken for a signature of the wallet's own address.
contract SmartWallet {
    address public owner;

    /// The code is placed without a deployment; whoever comes first names the owner.
    function initialize(address newOwner) external {
        require(owner == address(0), "SmartWallet: has an owner");
        owner = newOwner;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 66 || signature[0] != 0x01) return 0xffffffff;
        bytes32 r = bytes32(signature[1:33]);
        bytes32 s = bytes32(signature[33:65]);
        address signer = ecrecover(digest, uint8(signature[65]), r, s);
        return signer != address(0) && signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}
