import { answerTasks } from "../../lib/threads/worker-tasks.js";
import { animate } from "./animate.js";
import type { CountdownTask } from "./design.js";

answerTasks<CountdownTask, Uint8Array>(animate);
