import { answerTasks } from "../../worker-tasks.js";
import { animate } from "./_animate.js";
import type { CountdownTask } from "./_design.js";
import { registerFonts } from "./_fonts.js";

registerFonts();
answerTasks<CountdownTask, Uint8Array>(animate);
