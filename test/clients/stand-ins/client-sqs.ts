/** What the recipe uses of `@aws-sdk/client-sqs`, in its shape. */
export interface Message {
  ReceiptHandle?: string
  Body?: string
}

interface Target {
  QueueUrl: string
  ReceiptHandle: string | undefined
}

class Command<Input> {
  readonly input: Input

  constructor(input: Input) {
    this.input = input
  }
}

export class DeleteMessageCommand extends Command<Target> {}
export class ChangeMessageVisibilityCommand extends Command<Target & { VisibilityTimeout: number }> {}

export interface SQSClient {
  send(command: DeleteMessageCommand | ChangeMessageVisibilityCommand): Promise<unknown>
}
