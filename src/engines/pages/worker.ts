import { answerTasks } from "../../lib/threads/worker-tasks.js";
import { type Article, type ArticleTask, readArticle } from "./article.js";

answerTasks<ArticleTask, Article>(readArticle);
