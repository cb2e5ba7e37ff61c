import { answerTasks } from "../../lib/worker-tasks.js";
import { animate } from "./animate.js";
import type { CountdownTask } from "./design.js";
import { registerFonts } from "./fonts.js";

registerFonts();
answerTasks<CountdownTask, Uint8Array>(animate);
