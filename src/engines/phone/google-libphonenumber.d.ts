/** google-libphonenumber has no types of its own; these are the parts that we use. */
declare module "google-libphonenumber" {
  export interface PhoneNumber {
    getCountryCode(): number | undefined;
    getExtension(): string | null | undefined;
  }

  export interface PhoneNumberUtil {
    parse(text: string, region: string | undefined): PhoneNumber;
    isValidNumber(number: PhoneNumber): boolean;
    isPossibleNumber(number: PhoneNumber): boolean;
    /** 0 if it is possible; see ValidationResult for the others. */
    isPossibleNumberWithReason(number: PhoneNumber): number;
    format(number: PhoneNumber, format: number): string;
    getRegionCodeForNumber(number: PhoneNumber): string | null | undefined;
    getRegionCodeForCountryCode(code: number): string;
    getNumberType(number: PhoneNumber): number;
    getSupportedRegions(): string[];
  }

  export const PhoneNumberUtil: { getInstance(): PhoneNumberUtil };
  export const PhoneNumberFormat: { E164: number; INTERNATIONAL: number; NATIONAL: number; RFC3966: number };
  export const PhoneNumberType: Readonly<Record<string, number>>;
}
