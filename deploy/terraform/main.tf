# A service on Lambda behind a function URL, with a schedule that ends what is open. `coinslot init --framework lambda` makes the
# program; bundle it to build/function.zip with the handlers `server.handler` and `server.tick`.
terraform {
  required_version = ">= 1.6"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.60"
    }
  }
}

variable "name" {
  type    = string
  default = "coinslot"
}

variable "package" {
  description = "The bundle of the program."
  type        = string
  default     = "build/function.zip"
}

variable "settings" {
  description = "Settings of the program that are not secret: BASE_URL, TREASURY, FACILITATOR_URL."
  type        = map(string)
}

variable "secrets" {
  description = "Settings that are: DATABASE_URL and keys. Lambda encrypts them at rest; they stand in the state of Terraform, too."
  type        = map(string)
  sensitive   = true
}

resource "aws_iam_role" "run" {
  name = "${var.name}-run"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "lambda.amazonaws.com" } }]
  })
}

resource "aws_iam_role_policy" "run" {
  name = "run"
  role = aws_iam_role.run.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect   = "Allow"
        Action   = ["logs:CreateLogStream", "logs:PutLogEvents"]
        Resource = [for group in aws_cloudwatch_log_group.run : "${group.arn}:*"]
      },
    ]
  })
}

locals {
  # The program, and what `handle.tick` does for it each minute.
  functions = { serve = "server.handler", tick = "server.tick" }
}

resource "aws_cloudwatch_log_group" "run" {
  for_each          = local.functions
  name              = "/aws/lambda/${var.name}-${each.key}"
  retention_in_days = 30
}

resource "aws_lambda_function" "run" {
  for_each         = local.functions
  function_name    = "${var.name}-${each.key}"
  role             = aws_iam_role.run.arn
  runtime          = "nodejs22.x"
  architectures    = ["arm64"]
  handler          = each.value
  filename         = var.package
  source_code_hash = filebase64sha256(var.package)
  memory_size      = 1024
  timeout          = 150

  # Each instance has a connection to the database of its own.
  reserved_concurrent_executions = each.key == "tick" ? 1 : 50

  environment {
    variables = merge(var.settings, var.secrets)
  }

  depends_on = [aws_cloudwatch_log_group.run]
}

resource "aws_lambda_function_url" "serve" {
  function_name      = aws_lambda_function.run["serve"].function_name
  authorization_type = "NONE"
}

resource "aws_iam_role" "schedule" {
  name = "${var.name}-schedule"
  assume_role_policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "scheduler.amazonaws.com" } }]
  })
}

resource "aws_iam_role_policy" "schedule" {
  name = "invoke"
  role = aws_iam_role.schedule.id
  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "lambda:InvokeFunction", Resource = aws_lambda_function.run["tick"].arn }]
  })
}

resource "aws_scheduler_schedule" "tick" {
  name                = "${var.name}-tick"
  schedule_expression = "rate(1 minute)"

  flexible_time_window {
    mode = "OFF"
  }

  target {
    arn      = aws_lambda_function.run["tick"].arn
    role_arn = aws_iam_role.schedule.arn

    # A minute that was missed is made up for by the next one.
    retry_policy {
      maximum_retry_attempts = 0
    }
  }
}

output "url" {
  value = aws_lambda_function_url.serve.function_url
}
