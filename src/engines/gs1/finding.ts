/** An error of a component, and how far from its start. */
export interface ComponentFinding {
  code: string;
  at: number;
}

/** `year` is the present one: years of two digits lie around it. */
export type Test = (text: string, year: number) => ComponentFinding | undefined;
