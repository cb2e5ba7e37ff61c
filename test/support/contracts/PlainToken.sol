// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// An ERC-20 token, as far as balances go, that anybody may name and hand out.
contract PlainToken {
    string public symbol;
    uint256 public decimals;
    mapping(address => uint256) public balanceOf;

    function describe(string calldata newSymbol, uint256 newDecimals) external {
        symbol = newSymbol;
        decimals = newDecimals;
    }

    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }
}
