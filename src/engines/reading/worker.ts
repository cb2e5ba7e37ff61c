import { answerTasks } from "../../lib/threads/worker-tasks.js";
import { type Outcome, runTask, type Task } from "./tasks.js";

answerTasks<Task, Outcome>(runTask);
