import { answerTasks } from "../../lib/threads/worker-tasks.js";
import { loadTask, runTask, type TaskOutcome, type WorkerTask } from "./tasks.js";

answerTasks<WorkerTask, TaskOutcome>(runTask, { prepare: loadTask, isRefusal: (outcome) => "refused" in outcome });
