// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// What a universal resolver asks of the ENS registry; anybody may write.
contract EnsRegistry {
    mapping(bytes32 => address) public resolver;

    function setResolver(bytes32 node, address newResolver) external {
        resolver[node] = newResolver;
    }
}
