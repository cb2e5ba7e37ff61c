// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Gives back what it was called with, as the compiler's decoder read it: the judge of our own.
contract Calldata {
    struct Step {
        uint8 fee;
        bytes path;
    }

    struct Route {
        address to;
        Step[] steps;
        int24 tick;
    }

    function words(address a, uint8 b, int24 c, bool d, bytes4 e) external pure returns (bytes memory) {
        return abi.encode(a, b, c, d, e);
    }

    function text(string memory a) external pure returns (bytes memory) {
        return abi.encode(a);
    }

    function blobs(bytes memory a, string[] memory b) external pure returns (bytes memory) {
        return abi.encode(a, b);
    }

    function lists(uint256[] memory a, uint16[3] memory b, uint64[2][] memory c) external pure returns (bytes memory) {
        return abi.encode(a, b, c);
    }

    function routes(Route[2] memory a, bytes32[] memory b) external pure returns (bytes memory) {
        return abi.encode(a, b);
    }

    function deep(bytes[][] memory a, bool b) external pure returns (bytes memory) {
        return abi.encode(a, b);
    }
}
