import { answerTasks } from "../../lib/threads/worker-tasks.js";
import { type CodeTask, type Drawn, drawCode } from "./draw.js";

answerTasks<CodeTask, Drawn>(drawCode);
