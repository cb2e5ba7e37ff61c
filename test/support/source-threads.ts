/** Before all else in a process that test files share: what starts threads keeps the class that it finds when it is loaded. */
import "./typescript-workers.js";
