declare module "semver" {
  interface Options {
    loose?: boolean;
    includePrerelease?: boolean;
  }
  interface SemVer {
    version: string;
    major: number;
    minor: number;
    patch: number;
    prerelease: (string | number)[];
    build: string[];
  }
  function parse(version: string, options?: Options): SemVer | null;
  function compare(a: string, b: string, options?: Options): -1 | 0 | 1;
  function satisfies(version: string, range: string, options?: Options): boolean;
  function validRange(range: string, options?: Options): string | null;
  function gtr(version: string, range: string, options?: Options): boolean;
  function ltr(version: string, range: string, options?: Options): boolean;
  function inc(
    version: string,
    release: string,
    options: Options,
    identifier?: string,
    base?: string | false,
  ): string | null;
}
