import { answerTasks } from "../../lib/threads/worker-tasks.js";
import { loadTask, type Outcome, runTask, type Task } from "./tasks.js";

answerTasks<Task, Outcome>(runTask, { prepare: loadTask, isRefusal: (outcome) => "refused" in outcome });
