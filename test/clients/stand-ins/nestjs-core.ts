import type { Response } from 'express'
import type { ArgumentsHost } from './nestjs-common.ts'

/** What the recipe uses of `@nestjs/core`, in its shape: answers what nobody knows with a 500. */
export class BaseExceptionFilter {
  catch(_error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>()
    response.status(500).json({ statusCode: 500, message: 'Internal server error' })
  }
}
