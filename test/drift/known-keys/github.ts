import type { KnownKeys } from "../../support/render-inventories.js";

const REPOSITORY =
  "id node_id name full_name private owner html_url description fork url archive_url assignees_url blobs_url branches_url collaborators_url comments_url commits_url compare_url contents_url contributors_url deployments_url downloads_url events_url forks_url git_commits_url git_refs_url git_tags_url git_url hooks_url issue_comment_url issue_events_url issues_url keys_url labels_url languages_url merges_url milestones_url mirror_url notifications_url pulls_url releases_url ssh_url stargazers_url statuses_url subscribers_url subscription_url svn_url tags_url teams_url trees_url clone_url homepage language languages forks_count stargazers_count watchers_count size default_branch master_branch open_issues_count is_template topics has_issues has_projects has_wiki has_pages has_downloads has_discussions has_pull_requests pull_request_creation_policy archived disabled visibility pushed_at created_at updated_at starred_at permissions role_name allow_rebase_merge allow_squash_merge allow_auto_merge allow_update_branch allow_merge_commit allow_forking delete_branch_on_merge use_squash_pr_title_as_default squash_merge_commit_title squash_merge_commit_message merge_commit_title merge_commit_message web_commit_signoff_required temp_clone_token template_repository parent source organization license code_of_conduct security_and_analysis anonymous_access_enabled custom_properties subscribers_count network_count forks open_issues watchers score";
const OWNER =
  "login id node_id name email avatar_url gravatar_id url html_url followers_url following_url gists_url starred_url subscriptions_url organizations_url repos_url events_url received_events_url type user_view_type site_admin starred_at";

/** A list of repositories and an old one have fewer: neither topics nor watchers. */
export const knownKeys: readonly KnownKeys[] = ["/repos/*/*", "/repositories/*"].map((path) => ({
  path,
  source: "github.com/github/rest-api-description: full-repository",
  objects: { "": REPOSITORY, owner: OWNER, license: "key name spdx_id url node_id html_url" },
  rare: ["has_discussions", "subscribers_count", "license", "homepage", "license.spdx_id"],
}));
