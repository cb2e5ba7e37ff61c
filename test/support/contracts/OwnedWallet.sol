// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A contract wallet as the simplest of them are: its signature (EIP-1271) is its owner's, 65 bytes, like any account's.
contract OwnedWallet {
    address public owner;

    /// The code is placed without a deployment; whoever comes first names the owner.
    function initialize(address newOwner) external {
        require(owner == address(0), "OwnedWallet: has an owner");
        owner = newOwner;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length != 65) return 0xffffffff;
        address signer = ecrecover(digest, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
        return signer != address(0) && signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}
