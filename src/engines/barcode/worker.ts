import { answerTasks } from "../../lib/worker-tasks.js";
import { type CodeTask, type Drawn, drawCode } from "./draw.js";

answerTasks<CodeTask, Drawn>(drawCode);
