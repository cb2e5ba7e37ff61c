/** The commonest given names (Social Security Administration) and surnames (Census) of the United States: public domain. */
export const GIVEN_NAMES = (
  "James Mary Michael Patricia Robert Jennifer John Linda David Elizabeth William Barbara Richard Susan Joseph " +
  "Jessica Thomas Karen Christopher Sarah Charles Lisa Daniel Nancy Matthew Sandra Anthony Ashley Mark Emily Steven " +
  "Kimberly Donald Betty Andrew Margaret Joshua Donna Paul Michelle Kenneth Carol Kevin Amanda Brian Melissa " +
  "Timothy Deborah Ronald Stephanie Jason Rebecca George Sharon Edward Laura Jeffrey Cynthia Ryan Dorothy Jacob Amy " +
  "Nicholas Kathleen Gary Angela Eric Shirley Jonathan Emma Stephen Brenda Larry Pamela Justin Nicole Scott Anna " +
  "Brandon Samantha Benjamin Katherine Samuel Christine Gregory Debra Alexander Rachel Patrick Carolyn Frank Janet " +
  "Raymond Maria Jack Olivia Dennis Heather Jerry Helen Tyler Catherine Aaron Diane Jose Julie Adam Victoria Nathan " +
  "Joyce Henry Lauren Zachary Kelly Douglas Christina Peter Ruth Noah Joan Ethan Virginia Mohamed Juan Carlos Luis"
).split(" ");

export const SURNAMES = (
  "Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson " +
  "Anderson Thomas Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson " +
  "Walker Young Allen King Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell " +
  "Mitchell Carter Roberts Gomez Phillips Evans Turner Diaz Parker Cruz Edwards Collins Reyes Stewart Morris " +
  "Morales Murphy Cook Rogers Gutierrez Ortiz Morgan Cooper Peterson Bailey Reed Kelly Howard Ramos Kim Cox Ward " +
  "Richardson Watson Brooks Chavez Wood James Bennett Gray Mendoza Ruiz Hughes Price Alvarez Castillo Sanders Patel " +
  "Myers Long Ross Foster Jimenez"
).split(" ");
