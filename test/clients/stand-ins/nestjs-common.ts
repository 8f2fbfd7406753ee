/** What the recipe uses of `@nestjs/common`, in its shape. */
export interface ArgumentsHost {
  switchToHttp(): { getResponse<T>(): T }
}
