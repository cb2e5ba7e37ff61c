// Version 4 under its alias; what these tests use of it is typed as in version 5.
declare module "express4" {
  import express from "express";
  export default express;
}
