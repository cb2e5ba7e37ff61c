import type { KnownKeys } from "../../support/render-inventories.js";

/** Gateways add what their models tell: thoughts, sources, prices and times. */
export const knownKeys: readonly KnownKeys[] = [
  {
    method: "POST",
    path: "/api/v1/chat/completions",
    source: "openrouter.ai/docs, platform.openai.com/docs and vercel.com/docs/ai-gateway: chat completions",
    objects: {
      "": "id object created model choices usage provider system_fingerprint service_tier citations search_results videos images related_questions warnings warning metadata provider_metadata providerMetadata generationId prompt_filter_results prompt_logprobs prompt_token_ids kv_transfer_params openrouter_metadata request_id time_info x_groq error usage_breakdown nvext",
      "choices[]":
        "index finish_reason native_finish_reason message logprobs stop_reason error delta text seed token_ids matched_stop content_filter_results content_filter_result provider_specific_fields",
      "choices[].message":
        "role content refusal reasoning reasoning_details reasoning_content annotations audio function_call tool_calls images provider_metadata provider_specific_fields citations thinking_blocks executed_tools parsed context name",
      usage:
        "prompt_tokens completion_tokens total_tokens prompt_tokens_details completion_tokens_details cost is_byok cost_details market_cost prompt_cost completion_cost native_tokens_prompt native_tokens_completion input_tokens output_tokens input_tokens_details output_tokens_details cache_creation_input_tokens cache_read_input_tokens cache_creation prompt_cache_hit_tokens prompt_cache_miss_tokens cached_tokens reasoning_tokens queue_time prompt_time completion_time total_time num_sources_used num_search_queries citation_tokens search_context_size server_tool_use server_tool_use_details cost_in_usd_ticks prompt_audio_seconds service_tier inference_geo speed estimated_cost",
      "usage.prompt_tokens_details":
        "cached_tokens cache_write_tokens cache_creation_tokens cached_creation_tokens cache_creation_token_details audio_tokens video_tokens text_tokens image_tokens file_tokens character_count duration_seconds image_count video_length_seconds",
      "usage.completion_tokens_details":
        "reasoning_tokens image_tokens audio_tokens video_tokens text_tokens accepted_prediction_tokens rejected_prediction_tokens",
    },
    rare: [
      ...["created", "usage", "choices[].finish_reason", "choices[].message.content", "usage.total_tokens"],
      ...["usage.prompt_tokens_details", "usage.completion_tokens_details"],
      ...["usage.prompt_tokens_details.cached_tokens", "usage.completion_tokens_details.reasoning_tokens"],
    ],
  },
  {
    method: "POST",
    path: "/v1/images/generations",
    source: "platform.openai.com/docs: images",
    objects: {
      "": "created data background output_format quality size usage model id provider providerMetadata provider_metadata output_compression metadata warnings",
      "data[]": "b64_json url revised_prompt mime_type media_type index seed finish_reason provider_metadata timings",
    },
    rare: ["created", "data[].b64_json"],
  },
];
