#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tasks/segmentation/image_stack.h"

namespace gapwise::internal {

/// What lies beside images and says what is right: black and white masks, or label maps whose
/// values are classes.
enum class TruthKind { kMasks, kLabels };

/// Whether files of this kind lie beside the images of `path`.
bool has_truth_beside(const std::string& path, TruthKind kind);

/// Images and the truth of each, in the same order and of the same sizes.
class ImagePairs {
 public:
  /// InputError if there is no truth and all need one.
  ImagePairs(const std::string& path, TruthKind kind, bool needs_truth);

  /// The next image and, if there is any, its truth; false at the end.
  bool read();

  const StackImage& image() const { return image_; }
  bool has_truth() const { return truths_ != nullptr; }
  const StackImage& truth() const { return truth_; }
  /// Of the image at hand: "x-mask.pgm: mask 3".
  std::string name_of_truth() const;
  /// Of the image at hand: "image 3 of x.ppm".
  std::string name_of_image() const;
  const std::string& name() const { return images_->name(); }  ///< of all images
  Index num_images() const { return images_->num_images(); }   ///< so far
  /// For images of which none was wanted: what there is instead, and what to do.
  std::string complaint(const std::string& folds) const;

 private:
  std::string_view noun_;
  std::unique_ptr<ImageStack> images_;
  std::unique_ptr<ImageStack> truths_;
  StackImage image_;
  StackImage truth_;
};

}  // namespace gapwise::internal
