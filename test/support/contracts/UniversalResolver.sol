// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface Registry {
    function resolver(bytes32 node) external view returns (address);
}

interface Resolver {
    function addr(bytes32 node) external view returns (address);
    function name(bytes32 node) external view returns (string memory);
}

interface BatchGateway {
    struct Request {
        address sender;
        string[] urls;
        bytes data;
    }

    function query(Request[] calldata) external view returns (bool[] memory failures, bytes[] memory responses);
}

/// The universal resolver of ENS, with its refusals, for addresses and names on Ethereum.
contract UniversalResolver {
    error ResolverNotFound(bytes name);
    error ResolverError(bytes errorData);
    error ReverseAddressMismatch(string primary, bytes primaryAddress);
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    Registry private constant REGISTRY = Registry(0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e);

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory, address) {
        string[] memory gateways = new string[](1);
        gateways[0] = "https://gateways.example";
        return lookUp(name, data, gateways);
    }

    function resolveWithGateways(bytes calldata name, bytes calldata data, string[] calldata gateways)
        external
        view
        returns (bytes memory, address)
    {
        return lookUp(name, data, gateways);
    }

    function reverse(bytes calldata lookupAddress, uint256)
        external
        view
        returns (string memory primary, address resolver, address reverseResolver)
    {
        bytes memory name = encode(string.concat(hexOf(lookupAddress), ".addr.reverse"));
        reverseResolver = REGISTRY.resolver(nodeOf(name, 0));
        if (reverseResolver == address(0)) revert ResolverNotFound(name);
        primary = Resolver(reverseResolver).name(nodeOf(name, 0));
        if (bytes(primary).length == 0) return ("", address(0), reverseResolver);
        bytes32 node = nodeOf(encode(primary), 0);
        resolver = REGISTRY.resolver(node);
        address owner = resolver == address(0) ? address(0) : Resolver(resolver).addr(node);
        if (owner != address(bytes20(lookupAddress))) revert ReverseAddressMismatch(primary, abi.encodePacked(owner));
    }

    function resolved(bytes calldata response, bytes calldata extraData) external view returns (bytes memory, address) {
        (address resolver, bytes4 callback, bytes memory inner) = abi.decode(extraData, (address, bytes4, bytes));
        (bool[] memory failures, bytes[] memory responses) = abi.decode(response, (bool[], bytes[]));
        if (failures[0]) rethrow(responses[0]);
        (bool ok, bytes memory result) = resolver.staticcall(abi.encodeWithSelector(callback, responses[0], inner));
        if (!ok) revert ResolverError(result);
        return (abi.decode(result, (bytes)), resolver);
    }

    function lookUp(bytes calldata name, bytes calldata data, string[] memory gateways)
        private
        view
        returns (bytes memory, address)
    {
        address resolver = REGISTRY.resolver(nodeOf(name, 0));
        if (resolver == address(0)) revert ResolverNotFound(name);
        (bool ok, bytes memory result) = resolver.staticcall(data);
        if (ok) return (result, resolver);
        if (result.length < 4 || bytes4(result) != OffchainLookup.selector) revert ResolverError(result);
        askElsewhere(result, resolver, gateways);
    }

    /// The resolver's request, wrapped into one for a gateway that asks others.
    function askElsewhere(bytes memory lookup, address resolver, string[] memory gateways) private view {
        bytes memory arguments = new bytes(lookup.length - 4);
        for (uint256 i = 0; i < arguments.length; i++) arguments[i] = lookup[i + 4];
        BatchGateway.Request[] memory requests = new BatchGateway.Request[](1);
        bytes4 callback;
        bytes memory extraData;
        (requests[0].sender, requests[0].urls, requests[0].data, callback, extraData) =
            abi.decode(arguments, (address, string[], bytes, bytes4, bytes));
        revert OffchainLookup(
            address(this),
            gateways,
            abi.encodeCall(BatchGateway.query, (requests)),
            this.resolved.selector,
            abi.encode(resolver, callback, extraData)
        );
    }

    function rethrow(bytes memory reason) private pure {
        assembly {
            revert(add(reason, 32), mload(reason))
        }
    }

    /// The namehash of a name in the wire format of DNS.
    function nodeOf(bytes memory name, uint256 offset) private pure returns (bytes32) {
        uint256 length = uint8(name[offset]);
        if (length == 0) return 0;
        bytes memory label = new bytes(length);
        for (uint256 i = 0; i < length; i++) label[i] = name[offset + 1 + i];
        return keccak256(abi.encodePacked(nodeOf(name, offset + 1 + length), keccak256(label)));
    }

    function encode(string memory name) private pure returns (bytes memory result) {
        bytes memory label;
        bytes memory text = bytes(name);
        for (uint256 i = 0; i < text.length; i++) {
            if (text[i] != ".") {
                label = abi.encodePacked(label, text[i]);
                continue;
            }
            result = abi.encodePacked(result, uint8(label.length), label);
            label = "";
        }
        return abi.encodePacked(result, uint8(label.length), label, uint8(0));
    }

    function hexOf(bytes memory value) private pure returns (string memory) {
        bytes memory digits = "0123456789abcdef";
        bytes memory result = new bytes(value.length * 2);
        for (uint256 i = 0; i < value.length; i++) {
            result[2 * i] = digits[uint8(value[i]) >> 4];
            result[2 * i + 1] = digits[uint8(value[i]) & 15];
        }
        return string(result);
    }
}
