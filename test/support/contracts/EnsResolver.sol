// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A public resolver whose records anybody may write. Names that were moved are answered by a gateway (EIP-3668).
contract EnsResolver {
    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    mapping(bytes32 => address) private addresses;
    mapping(bytes32 => string) public name;
    mapping(bytes32 => mapping(string => string)) private texts;
    mapping(bytes32 => string) private gateways;

    function setAddr(bytes32 node, address to) external {
        addresses[node] = to;
    }

    function setName(bytes32 node, string calldata newName) external {
        name[node] = newName;
    }

    function setText(bytes32 node, string calldata key, string calldata value) external {
        texts[node][key] = value;
    }

    function setGateway(bytes32 node, string calldata url) external {
        gateways[node] = url;
    }

    function addr(bytes32 node) external view returns (address) {
        lookUpElsewhere(node);
        return addresses[node];
    }

    function text(bytes32 node, string calldata key) external view returns (string memory) {
        lookUpElsewhere(node);
        return texts[node][key];
    }

    function answered(bytes calldata response, bytes calldata) external pure returns (bytes memory) {
        return response;
    }

    function lookUpElsewhere(bytes32 node) private view {
        if (bytes(gateways[node]).length == 0) return;
        string[] memory urls = new string[](1);
        urls[0] = gateways[node];
        revert OffchainLookup(address(this), urls, msg.data, this.answered.selector, "");
    }
}
