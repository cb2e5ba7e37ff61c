import { answerTasks } from "../../lib/worker-tasks.js";
import { type Article, type ArticleTask, readArticle } from "./article.js";

answerTasks<ArticleTask, Article>(readArticle);
